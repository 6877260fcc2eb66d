import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { sideNames } from './names';
import { useMessage } from './language';
import type { GameName, TimeControlDto, Side } from './protocol';
import type { Language, MessageKey } from './messages';

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
  const message = useMessage();
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
  const names = found ? sideNames(found, language) : ['', ''];
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={message('newGame')}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          const [minutes, increment] = (person === null ? undefined : CLOCKS[clock]) ?? [];
          const pace = minutes === undefined ? undefined : { base: 60_000 * minutes, increment: 1000 * (increment ?? 0) };
          onStart({ game, person, level, seconds, clock: pace });
        }}
      >
        <h2>{message('newGame')}</h2>
        {games.length > 1 && (
          <fieldset>
            <legend>{message('game')}</legend>
            {games.map((one) => (
              <label class="option" key={one.game}>
                <input type="radio" name="game" value={one.game} checked={one.game === game} onChange={() => setGame(one.game)} />
                {language === 'zh' ? one.title_zh : one.title}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>{message('youPlay')}</legend>
          {([0, 1] as const).map((side) => (
            <label class="option" key={side}>
              <input type="radio" name="side" checked={side === person} onChange={() => setPerson(side)} />
              <span class={`dot ${found?.sides[side].toLowerCase() ?? ''}`} aria-hidden="true" />
              {names[side]}
              {side === 0 && <small>{message('movesFirst')}</small>}
            </label>
          ))}
          <label class="option">
            <input type="radio" name="side" checked={person === null} onChange={() => setPerson(null)} />
            {message('neitherSide')}
          </label>
        </fieldset>
        {person !== null && (
          <>
            <label class="level">
              <span>
                {message('level', level)} <small>{message(`level${level}` as MessageKey)}</small>
              </span>
              <input type="range" min={1} max={LEVELS} value={level} onInput={(event) => setLevel(Number(event.currentTarget.value))} />
            </label>
            <label class="choice">
              {message('clock')}
              <select name="clock" value={clock} onChange={(event) => choose(Number(event.currentTarget.value))}>
                <option value={-1}>{message('noClock')}</option>
                {CLOCKS.map(([minutes, increment], i) => (
                  <option key={i} value={i}>
                    {message('timeControl', minutes, increment)}
                  </option>
                ))}
              </select>
            </label>
            <label class="choice">
              {message('replyTime')}
              <select name="time" value={seconds} onChange={(event) => setSeconds(Number(event.currentTarget.value))}>
                {clock >= 0 && <option value={0}>{message('replyTimeByClock')}</option>}
                {TIMES.map((one) => (
                  <option key={one} value={one}>
                    {message('seconds', one)}
                  </option>
                ))}
              </select>
            </label>
          </>
        )}
        <div class="deeds">
          <button type="button" onClick={onClose}>
            {message('cancel')}
          </button>
          <button class="strong" type="submit">
            {message('startGame')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
