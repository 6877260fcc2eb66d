import { useEffect, useRef, useState } from 'preact/hooks';

interface Props {
  games: { game: string; title: string }[];
  sides: [string, string];
  chosen: { game: string; person: 0 | 1; level: number };
  onStart(game: string, person: 0 | 1, level: number): void;
  onClose(): void;
}

const LEVELS = 10;

/** Which game, which side, how strong an opponent. */
export function NewGame({ games, sides, chosen, onStart, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [game, setGame] = useState(chosen.game);
  const [person, setPerson] = useState(chosen.person);
  const [level, setLevel] = useState(chosen.level);
  useEffect(() => dialog.current?.showModal(), []);
  const sideName = (side: 0 | 1) => (game === chosen.game ? sides[side] : side === 0 ? 'Move first' : 'Move second');
  return (
    <dialog ref={dialog} onClose={onClose} aria-label="New game">
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onStart(game, person, level);
        }}
      >
        <h2>New game</h2>
        {games.length > 1 && (
          <fieldset>
            <legend>Game</legend>
            {games.map(({ game: name, title }) => (
              <label key={name}>
                <input type="radio" name="game" checked={name === game} onChange={() => setGame(name)} /> {title}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>You play</legend>
          {([0, 1] as const).map((side) => (
            <label key={side}>
              <input type="radio" name="side" checked={side === person} onChange={() => setPerson(side)} />{' '}
              {sideName(side)}
            </label>
          ))}
        </fieldset>
        <label class="level">
          Level {level}
          <input
            type="range"
            min={1}
            max={LEVELS}
            value={level}
            onInput={(event) => setLevel(Number(event.currentTarget.value))}
          />
        </label>
        <div class="deeds">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button class="strong" type="submit">
            Start
          </button>
        </div>
      </form>
    </dialog>
  );
}
