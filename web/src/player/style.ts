/** The style of the player; colours follow the page. */
export const STYLE = `
  :host { display: block; max-width: 30rem; font: inherit; }
  .title { margin: 0 0 0.4em; font-weight: 600; }
  .title:empty, .problem:empty { display: none; }
  .problem { margin: 0.4em 0; color: light-dark(#a1260d, #ff9b85); }
  .buttons { display: flex; justify-content: center; gap: 0.4em; margin: 0.4em 0; }
  [hidden] { display: none !important; }
  .buttons button { min-width: 2.75rem; min-height: 2.75rem; font: inherit; }
  ol { list-style: none; margin: 0; padding: 0; max-height: 9em; overflow-y: auto; }
  li { display: inline-block; margin-inline-end: 0.5em; white-space: nowrap; }
  li button { border: 0; padding: 0.15em 0.3em; background: none; color: inherit; font: inherit; cursor: pointer; border-radius: 0.2em; }
  li button:hover { background: #8883; }
  li button[aria-current] { background: #8885; font-weight: 600; }
`;
