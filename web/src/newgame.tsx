import { useEffect, useRef, useState } from 'preact/hooks';
import type { GameName } from './wire';

interface Props {
  games: GameName[];
  chosen: { game: string; person: 0 | 1; level: number };
  onStart(game: string, person: 0 | 1, level: number): void;
  onClose(): void;
}

/** What each level feels like, from the first. */
const LEVELS = [
  'learning the moves',
  'very gentle',
  'gentle',
  'easy-going',
  'attentive',
  'a club player',
  'strong',
  'very strong',
  'merciless',
  'all it can',
];

/** Which game, which side, how strong an opponent. */
export function NewGame({ games, chosen, onStart, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [game, setGame] = useState(chosen.game);
  const [person, setPerson] = useState(chosen.person);
  const [level, setLevel] = useState(chosen.level);
  useEffect(() => dialog.current?.showModal(), []);
  const sides = games.find((one) => one.game === game)?.sides ?? ['First', 'Second'];
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
              <label class="option" key={name}>
                <input type="radio" name="game" checked={name === game} onChange={() => setGame(name)} />
                {title}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>You play</legend>
          {([0, 1] as const).map((side) => (
            <label class="option" key={side}>
              <input type="radio" name="side" checked={side === person} onChange={() => setPerson(side)} />
              <span class={`dot ${sides[side].toLowerCase()}`} aria-hidden="true" />
              {sides[side]}
              {side === 0 && <small>begins</small>}
            </label>
          ))}
        </fieldset>
        <label class="level">
          <span>
            Level {level} <small>{LEVELS[level - 1]}</small>
          </span>
          <input
            type="range"
            min={1}
            max={LEVELS.length}
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
