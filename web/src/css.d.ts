/** A style sheet as text. */
declare module '*.css?inline' {
  const text: string;
  export default text;
}

/** The text of a file. */
declare module '*?raw' {
  const text: string;
  export default text;
}
