import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useMessage } from './language';
import type { Language, MessageKey } from './messages';
import { sideNames } from './names';
import type { GameName, Side, TimeControlDto } from './protocol';

interface Props {
  games: GameName[];
  language: Language;
  initial: NewGameOptions;
  onStart(options: NewGameOptions): void;
  onClose(): void;
}

/** The options of a new game. */
export interface NewGameOptions {
  game: string;
  /** The side of the user; null for an analysis. */
  userSide: Side | null;
  level: number;
  /** The time for a reply of the computer; 0 if its clock decides. */
  replySeconds: number;
  timeControl: TimeControlDto | undefined;
}

/** The highest level. The others search to a fixed depth, whatever the time. */
const MAX_LEVEL = 10;
/** The times for a reply that can be chosen, in seconds. */
const REPLY_SECONDS = [0.3, 1, 3, 10, 30];
/** The time controls that can be chosen: minutes for each side, and the increment in seconds. */
const TIME_CONTROLS = [
  [1, 0],
  [3, 2],
  [5, 3],
  [10, 5],
  [15, 10],
  [30, 20],
] as const;

/** The dialog that starts a new game: the game, the side of the user, the level and the clock. */
export function NewGameDialog({ games, language, initial, onStart, onClose }: Props) {
  const message = useMessage();
  const dialog = useRef<HTMLDialogElement>(null);
  const [game, setGame] = useState(initial.game);
  const [userSide, setUserSide] = useState(initial.userSide);
  const [level, setLevel] = useState(initial.level);
  const [replySeconds, setReplySeconds] = useState(initial.replySeconds);
  const [clock, setClock] = useState(
    TIME_CONTROLS.findIndex(([minutes]) => 60_000 * minutes === initial.timeControl?.base),
  );
  const chooseClock = (index: number) => {
    setClock(index);
    // With a clock the computer manages its time itself, unless a time for a reply is chosen afterwards.
    setReplySeconds(index >= 0 ? 0 : replySeconds || 1);
  };
  const start = (event: Event) => {
    event.preventDefault();
    const [minutes, increment] = (userSide === null ? undefined : TIME_CONTROLS[clock]) ?? [];
    const timeControl =
      minutes === undefined ? undefined : { base: 60_000 * minutes, increment: 1000 * (increment ?? 0) };
    onStart({ game, userSide, level, replySeconds, timeControl });
  };
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const chosen = games.find((one) => one.game === game);
  const names = chosen ? sideNames(chosen, language) : ['', ''];
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={message('newGame')}>
      <form method="dialog" onSubmit={start}>
        <h2>{message('newGame')}</h2>
        {games.length > 1 && (
          <fieldset>
            <legend>{message('game')}</legend>
            {games.map((one) => (
              <label class="option" key={one.game}>
                <input
                  type="radio"
                  name="game"
                  value={one.game}
                  checked={one.game === game}
                  onChange={() => setGame(one.game)}
                />
                {language === 'zh' ? one.title_zh : one.title}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>{message('youPlay')}</legend>
          {([0, 1] as const).map((side) => (
            <label class="option" key={side}>
              <input type="radio" name="side" checked={side === userSide} onChange={() => setUserSide(side)} />
              <span class={`dot ${chosen?.sides[side].toLowerCase() ?? ''}`} aria-hidden="true" />
              {names[side]}
              {side === 0 && <small>{message('movesFirst')}</small>}
            </label>
          ))}
          <label class="option">
            <input type="radio" name="side" checked={userSide === null} onChange={() => setUserSide(null)} />
            {message('neitherSide')}
          </label>
        </fieldset>
        {userSide !== null && (
          <>
            <label class="level">
              <span>
                {message('level', level)} <small>{message(`level${level}` as MessageKey)}</small>
              </span>
              <input
                type="range"
                min={1}
                max={MAX_LEVEL}
                value={level}
                onInput={(event) => setLevel(Number(event.currentTarget.value))}
              />
            </label>
            <label class="inline-field">
              {message('clock')}
              <select name="clock" value={clock} onChange={(event) => chooseClock(Number(event.currentTarget.value))}>
                <option value={-1}>{message('noClock')}</option>
                {TIME_CONTROLS.map(([minutes, increment], i) => (
                  <option key={i} value={i}>
                    {message('timeControl', minutes, increment)}
                  </option>
                ))}
              </select>
            </label>
            {level === MAX_LEVEL && (
              <label class="inline-field">
                {message('replyTime')}
                <select
                  name="time"
                  value={replySeconds}
                  onChange={(event) => setReplySeconds(Number(event.currentTarget.value))}
                >
                  {clock >= 0 && <option value={0}>{message('replyTimeByClock')}</option>}
                  {REPLY_SECONDS.map((seconds) => (
                    <option key={seconds} value={seconds}>
                      {message('seconds', seconds)}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </>
        )}
        <div class="actions">
          <button type="button" onClick={onClose}>
            {message('cancel')}
          </button>
          <button class="primary" type="submit">
            {message('startGame')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
