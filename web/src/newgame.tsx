import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sides } from './names';
import { useWords } from './speech';
import type { GameName, TimeControlDto, Side } from './protocol';
import type { Language, Word } from './words';

interface Props {
  games: GameName[];
  language: Language;
  chosen: Choice;
  onStart(choice: Choice): void;
  onClose(): void;
}

/** A game to be started. */
export interface Choice {
  game: string;
  person: Side | null;
  level: number;
  /** For each reply of the computer; 0 for as long as its clock allows. */
  seconds: number;
  clock: TimeControlDto | undefined;
}

/** What each level feels like, from the first. */
const LEVELS = 10;
/** How long the computer may think about a reply, in seconds. */
const TIMES = [0.3, 1, 3, 10, 30];
/** Clocks that people play by: minutes for each side, and seconds that a move adds. */
const CLOCKS = [
  [1, 0],
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
  [30, 20],
] as const;

/** Which game, which side, how strong an opponent. */
export function NewGame({ games, language, chosen, onStart, onClose }: Props) {
  const say = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [game, setGame] = useState(chosen.game);
  const [person, setPerson] = useState(chosen.person);
  const [level, setLevel] = useState(chosen.level);
  const [seconds, setSeconds] = useState(chosen.seconds);
  const [clock, setClock] = useState(CLOCKS.findIndex(([minutes]) => 60_000 * minutes === chosen.clock?.base));
  const choose = (number: number) => {
    setClock(number);
    // By the clock the computer manages its own time, unless it is told otherwise.
    setSeconds(number >= 0 ? 0 : seconds || 1);
  };
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const found = games.find((one) => one.game === game);
  const names = found ? sides(found, language) : ['', ''];
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={say('newGame')}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const [minutes, increment] = (person === null ? undefined : CLOCKS[clock]) ?? [];
          const pace = minutes === undefined ? undefined : { base: 60_000 * minutes, increment: 1000 * (increment ?? 0) };
          onStart({ game, person, level, seconds, clock: pace });
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
              {say('clock')}
              <select name="clock" value={clock} onChange={(event) => choose(Number(event.currentTarget.value))}>
                <option value={-1}>{say('noClock')}</option>
                {CLOCKS.map(([minutes, increment], i) => (
                  <option key={i} value={i}>
                    {say('pace', minutes, increment)}
                  </option>
                ))}
              </select>
            </label>
            <label class="choice">
              {say('time')}
              <select name="time" value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
                {clock >= 0 && <option value={0}>{say('byClock')}</option>}
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
