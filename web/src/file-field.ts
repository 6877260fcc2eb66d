/** Returns the chosen files, and empties the field, so that the browser reports it if they are chosen again. */
export function takeFiles(field: HTMLInputElement): File[] {
  const files = [...(field.files ?? [])];
  field.value = '';
  return files;
}

/** A file of games, and files beside it with the names of players and tournaments. */
export interface GameFiles {
  games: File;
  names: File[];
}

/** Returns the files of which one has games and the others their names; undefined if there are several with games. */
export function gameFiles(files: readonly File[]): GameFiles | undefined {
  const isNames = ({ name }: File) => /\.(?:jou|trn)$/i.test(name);
  const [games, ...others] = files.filter((file) => !isNames(file));
  return games && others.length === 0 ? { games, names: files.filter(isNames) } : undefined;
}
