import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sides } from './names';
import { useWords } from './speech';
import type { GameName, Side } from './wire';
import type { Language, Word } from './words';

interface Props {
  games: GameName[];
  language: Language;
  chosen: { game: string; person: Side | null; level: number; seconds: number };
  onStart(game: string, person: Side | null, level: number, seconds: number): void;
  onClose(): void;
}

/** What each level feels like, from the first. */
const LEVELS = 10;
/** How long the computer may think about a reply, in seconds. */
const TIMES = [0.3, 1, 3, 10, 30];

/** Which game, which side, how strong an opponent. */
export function NewGame({ games, language, chosen, onStart, onClose }: Props) {
  const say = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [game, setGame] = useState(chosen.game);
  const [person, setPerson] = useState(chosen.person);
  const [level, setLevel] = useState(chosen.level);
  const [seconds, setSeconds] = useState(chosen.seconds);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const found = games.find((one) => one.game === game);
  const names = found ? sides(found, language) : ['', ''];
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={say('newGame')}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          onStart(game, person, level, seconds);
        }}
      >
        <h2>{say('newGame')}</h2>
        {games.length > 1 && (
          <fieldset>
            <legend>{say('game')}</legend>
            {games.map((one) => (
              <label class="option" key={one.game}>
                <input type="radio" name="game" value={one.game} checked={one.game === game} onChange={() => setGame(one.game)} />
                {language === 'zh' ? one.title_zh : one.title}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>{say('youPlay')}</legend>
          {([0, 1] as const).map((side) => (
            <label class="option" key={side}>
              <input type="radio" name="side" checked={side === person} onChange={() => setPerson(side)} />
              <span class={`dot ${found?.sides[side].toLowerCase() ?? ''}`} aria-hidden="true" />
              {names[side]}
              {side === 0 && <small>{say('begins')}</small>}
            </label>
          ))}
          <label class="option">
            <input type="radio" name="side" checked={person === null} onChange={() => setPerson(null)} />
            {say('nobody')}
          </label>
        </fieldset>
        {person !== null && (
          <>
            <label class="level">
              <span>
                {say('level', level)} <small>{say(`level${level}` as Word)}</small>
              </span>
              <input type="range" min={1} max={LEVELS} value={level} onInput={(event) => setLevel(Number(event.currentTarget.value))} />
            </label>
            <label class="choice">
              {say('time')}
              <select value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
                {TIMES.map((one) => (
                  <option key={one} value={one}>
                    {say('seconds', one)}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
        <div class="deeds">
          <button type="button" onClick={onClose}>
            {say('cancel')}
          </button>
          <button class="strong" type="submit">
            {say('begin')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
