import { useEffect, useState } from 'preact/hooks';
import { ClockField } from './clock-field';
import { EngineSelect } from './engine-select';
import type { GameClient } from './game-client';
import { useMessage } from './language';
import { LevelField, MAX_LEVEL } from './level-field';
import { useLaterMessage } from './later-messages';
import type { Language } from './messages';
import { useModalDialog } from './modal-dialog';
import { gameTitle, sideNames } from './names';
import { loadPreference, savePreference } from './preferences';
import type { GameName, HandicapDto, Side, StartsDto, TimeControlDto } from './wire/types';

interface Props {
  client: GameClient;
  games: GameName[];
  language: Language;
  initial: NewGameOptions;
  onStart(options: NewGameOptions): void;
  onClose(): void;
}

/** The options of a new game. */
export interface NewGameOptions {
  game: string;
  /** The side of the user; null if the user plays neither or both. */
  userSide: Side | null;
  /** Whether two people play at this screen. */
  twoPeople: boolean;
  /** The levels of both sides, if the computer plays both. */
  watchedLevels?: [number, number];
  /** The external engine that plays against the user. */
  opponent?: string;
  level: number;
  /** The time for a reply of the computer; 0 if its clock decides. */
  replySeconds: number;
  timeControl: TimeControlDto | undefined;
  /** The start position, unless it is the usual one, and the issues to waive in it. */
  fen?: string;
  waive?: string[];
}

/** The times for a reply that can be chosen, in seconds. */
const REPLY_SECONDS = [0.3, 1, 3, 10, 30];
/** Who plays: the user one side or either, two people, the computer both sides, or no side. */
const MODES = [0, 1, 'random', 'two', 'watch', 'analysis'] as const;
type Mode = (typeof MODES)[number];

function initialMode({ userSide, twoPeople, watchedLevels }: NewGameOptions): Mode {
  if (userSide !== null) return userSide;
  if (twoPeople) return 'two';
  if (watchedLevels) return 'watch';
  // The open game may be one of a file: the dialog begins with what was chosen last.
  const last = loadPreference('newGame', '0');
  return MODES.find((mode) => String(mode) === last) ?? 0;
}

/** The dialog that starts a new game: the game, the side of the user, the level and the clock. */
export function NewGameDialog({ client, games, language, initial, onStart, onClose }: Props) {
  const message = useMessage();
  const laterText = useLaterMessage();
  const dialog = useModalDialog(onClose);
  const [game, setGame] = useState(initial.game);
  const [mode, setMode] = useState(initialMode(initial));
  const playsUser = mode === 0 || mode === 1 || mode === 'random';
  const [starts, setStarts] = useState<StartsDto>();
  /** The chosen start: the usual one, a handicap, or the one with a number. */
  const [startKind, setStartKind] = useState<'usual' | 'numbered' | HandicapDto>('usual');
  /** The number of the start; undefined for a random one. */
  const [number, setNumber] = useState<number>();
  useEffect(() => {
    let isCurrent = true;
    setStarts(undefined);
    setStartKind('usual');
    setNumber(undefined);
    void client.requestQuietly({ do: 'starts', game }).then((response) => isCurrent && setStarts(response?.starts));
    return () => void (isCurrent = false);
  }, [game]);
  const [level, setLevel] = useState(initial.level);
  const [replySeconds, setReplySeconds] = useState(initial.replySeconds);
  const [opponent, setOpponent] = useState(initial.opponent);
  const [levels, setLevels] = useState<[number, number]>(initial.watchedLevels ?? [initial.level, initial.level]);
  const [clock, setClock] = useState(initial.timeControl);
  const chooseGame = (name: string) => {
    setGame(name);
    // An external engine may play one game only.
    setOpponent(undefined);
  };
  const chooseClock = (control: TimeControlDto | undefined) => {
    setClock(control);
    // With a clock the computer manages its time itself, unless a time for a reply is chosen afterwards.
    if (control) setReplySeconds(0);
  };
  const timeControl = playsUser || mode === 'two' ? clock : undefined;
  const seconds = timeControl ? replySeconds : replySeconds || 1;
  const start = (event: Event) => {
    event.preventDefault();
    if (startKind === 'usual') return begin({});
    if (startKind !== 'numbered') return begin({ fen: startKind.fen, waive: startKind.waive });
    const count = starts?.numbered?.count ?? 1;
    const request = client.request({ do: 'starts', game, number: number ?? Math.floor(count * Math.random()) });
    void request.then((response) => response?.starts?.fen && begin({ fen: response.starts.fen }));
  };
  const begin = (chosenStart: Pick<NewGameOptions, 'fen' | 'waive'>) => {
    const userSide: Side | null = mode === 'random' ? (Math.random() < 0.5 ? 0 : 1) : mode === 0 || mode === 1 ? mode : null;
    savePreference('newGame', String(mode));
    const watchedLevels = mode === 'watch' ? levels : undefined;
    onStart({ game, userSide, twoPeople: mode === 'two', watchedLevels, opponent, level, replySeconds: seconds, timeControl, ...chosenStart });
  };
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
                  onChange={() => chooseGame(one.game)}
                />
                {gameTitle(one, language)}
              </label>
            ))}
          </fieldset>
        )}
        <fieldset>
          <legend>{message('youPlay')}</legend>
          {([0, 1] as const).map((side) => (
            <label class="option" key={side}>
              <input type="radio" name="side" checked={side === mode} onChange={() => setMode(side)} />
              <span class={`dot ${chosen?.sides[side].toLowerCase() ?? ''}`} aria-hidden="true" />
              {names[side]}
              {side === 0 && typeof startKind === 'string' && <small>{message('movesFirst')}</small>}
            </label>
          ))}
          <label class="option">
            <input type="radio" name="side" checked={mode === 'random'} onChange={() => setMode('random')} />
            {laterText('randomSide')}
          </label>
          {(['analysis', 'two', 'watch'] as const).map((other) => (
            <label class="option" key={other}>
              <input type="radio" name="side" checked={mode === other} onChange={() => setMode(other)} />
              {message(other === 'two' ? 'twoPeople' : other === 'watch' ? 'watchComputer' : 'neitherSide')}
            </label>
          ))}
        </fieldset>
        {mode === 'watch' &&
          ([0, 1] as const).map((side) => (
            <LevelField
              key={side}
              label={names[side]}
              level={levels[side]}
              onLevel={(chosen) => setLevels(side === 0 ? [chosen, levels[1]] : [levels[0], chosen])}
            />
          ))}
        {mode === 'two' && <ClockField clock={clock} onClock={setClock} />}
        {playsUser && (
          <>
            <EngineSelect {...{ client, game }} label={message('opponent')} value={opponent} onChoose={setOpponent} />
            {!opponent && <LevelField level={level} onLevel={setLevel} />}
            <ClockField clock={clock} onClock={chooseClock} />
            {(level === MAX_LEVEL || opponent) && (
              <label class="inline-field">
                {message('replyTime')}
                <select
                  name="time"
                  value={seconds}
                  onChange={(event) => setReplySeconds(Number(event.currentTarget.value))}
                >
                  {timeControl && <option value={0}>{message('replyTimeByClock')}</option>}
                  {REPLY_SECONDS.map((time) => (
                    <option key={time} value={time}>
                      {message('seconds', time)}
                    </option>
                  ))}
                </select>
              </label>
            )}
          </>
        )}
        {starts && (
          <StartField
            {...{ starts, language, kind: startKind, number }}
            onKind={setStartKind}
            onNumber={setNumber}
          />
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

interface StartFieldProps {
  starts: StartsDto;
  language: Language;
  kind: 'usual' | 'numbered' | HandicapDto;
  number: number | undefined;
  onKind(kind: 'usual' | 'numbered' | HandicapDto): void;
  onNumber(number: number | undefined): void;
}

/** The field of the start position: the usual one, one with a number, or a handicap. */
function StartField({ starts, language, kind, number, onKind, onNumber }: StartFieldProps) {
  const laterText = useLaterMessage();
  const { handicaps, numbered } = starts;
  const title = (one: { title: string; title_zh: string }) => (language === 'zh' ? one.title_zh : one.title);
  const choose = (value: string) => onKind(value === 'usual' || value === 'numbered' ? value : (handicaps[Number(value)] ?? 'usual'));
  const last = (numbered?.count ?? 1) - 1;
  return (
    <>
      <label class="inline-field">
        {laterText('startField')}
        <select name="start" value={typeof kind === 'string' ? kind : handicaps.indexOf(kind)} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="usual">{laterText('usualStart')}</option>
          {numbered && <option value="numbered">{title(numbered)}</option>}
          {handicaps.map((one, i) => (
            <option key={one.fen} value={i}>{title(one)}</option>
          ))}
        </select>
      </label>
      {kind === 'numbered' && (
        <label class="inline-field">
          {laterText('startNumber', last)}
          <input
            type="number"
            name="number"
            min={0}
            max={last}
            placeholder={laterText('randomStart')}
            value={number ?? ''}
            onChange={({ currentTarget: { value } }) => onNumber(value === '' ? undefined : Math.min(last, Math.max(0, Math.floor(Number(value)) || 0)))}
          />
        </label>
      )}
    </>
  );
}
