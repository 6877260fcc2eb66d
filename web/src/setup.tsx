import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { boardAppearance, boardMessages } from './board-data';
import type { AlfilBoard } from './board/element';
import type { BoardAppearance } from './board/types';
import type { Game, Shown } from './game';
import { issueText, sideNames } from './names';
import { useMessage } from './language';
import { ErrorBanner } from './error-banner';
import { Face } from './face';
import type { SetupDto, Side } from './protocol';

interface Props {
  game: Game;
  shown: Shown;
  onClose(): void;
}

/** Any position, set up by hand or from its text; what is wrong with it stands on the board and in words. */
export function Setup({ game, shown, onClose }: Props) {
  const message = useMessage();
  const dialog = useRef<HTMLDialogElement>(null);
  const board = useRef<AlfilBoard>(null);
  const [men, setMen] = useState<Record<string, string>>(shown.position?.men ?? {});
  const [side, setSide] = useState<Side>(shown.position?.side ?? 0);
  /** The man that a click sets down; nothing removes. */
  const [hand, setHand] = useState<string | null>(null);
  const told = useRef(false);
  /** Whether the text was touched after the men: then it is what counts. */
  const typed = useRef(false);
  const [checked, setChecked] = useState<SetupDto>();
  const [text, setText] = useState('');
  const [allowed, setAllowed] = useState(false);
  const { look, language } = shown;
  useLayoutEffect(() => dialog.current?.showModal(), []);

  useEffect(() => {
    const element = board.current;
    if (!element || !look) return;
    element.editing = true;
    element.pictures = shown.pictures;
    if (!element.look) element.look = boardAppearance(look, language);
    element.words = boardMessages(language);
    element.men = men;
    element.over = { faults: checked?.grievances.flatMap((one) => one.squares) ?? [] };
    const place = (event: Event) => {
      const { from, to } = (event as CustomEvent<{ from: string | null; to: string | null }>).detail;
      const next = { ...men };
      const man = from === null ? hand : men[from];
      if (from !== null) delete next[from];
      if (to !== null) {
        if (man && !(from === null && men[to] === man)) next[to] = man;
        else delete next[to];
      }
      setMen(next);
    };
    element.addEventListener('place', place);
    return () => element.removeEventListener('place', place);
  }, [men, hand, checked, look, language]);

  useEffect(() => {
    // Men that a text set up: it knows more than they do (castling rights, counters), and stays as it is.
    if (told.current) {
      told.current = false;
      return;
    }
    let late = false;
    typed.current = false;
    void game.inquire({ do: 'arrange', men, side }).then((answer) => {
      if (late || typed.current || !answer?.setup) return;
      setChecked(answer.setup);
      setText(answer.setup.fen);
      setAllowed(false);
    });
    return () => {
      late = true;
    };
  }, [men, side]);

  const type = (words: string) => {
    typed.current = true;
    setText(words);
  };
  const read = async (fen: string): Promise<SetupDto | undefined> => {
    const answer = await game.inquire({ do: 'examine', fen, chinese: language === 'zh' });
    if (!answer?.setup) {
      // What the last text said is no comment on this one.
      setChecked(undefined);
      return undefined;
    }
    if (answer.setup.men) {
      told.current = true;
      setMen(answer.setup.men);
      setAllowed(false);
    }
    if (answer.setup.side !== null) setSide(answer.setup.side);
    setChecked(answer.setup);
    setText(answer.setup.fen);
    return answer.setup;
  };
  if (!look) return null;
  const grievances = checked?.grievances ?? [];
  const waivable = grievances.every((one) => one.waivable);
  const ready = checked !== undefined && (grievances.length === 0 || (waivable && allowed));
  const begin = async (plays: boolean) => {
    // The text knows more than the men: castling rights, counters. One that was just typed is read first.
    const fen = text.trim() || checked?.fen || '';
    const known = fen === checked?.fen ? checked : await read(fen);
    if (!known || (known !== checked && known.grievances.length > 0)) return;
    const waive = known.grievances.map((one) => one.name);
    if (await game.start(look.game, plays ? (known.side ?? side) : null, shown.level, { fen, waive })) onClose();
  };
  const names = sideNames(look, language);
  return (
    <dialog ref={dialog} class="setup" onClose={onClose} aria-label={message('setUp')}>
      <h2>{message('setUp')}</h2>
      <div class="table">
        <alfil-board ref={board} style={{ '--shape': look.files / look.ranks }} />
        <div class="tools">
          <div class="palette" role="radiogroup" aria-label={message('palette')} style={{ '--columns': Math.max(4, crew(look)) }}>
            {Object.keys(look.men).map((letter) => (
              <Man key={letter} look={boardAppearance(look, language)} letter={letter} pictures={shown.pictures} chosen={hand === letter} onChoose={() => setHand(letter)} />
            ))}
            <button
              class={`man ${hand === null ? 'chosen' : ''}`}
              role="radio"
              aria-checked={hand === null}
              aria-label={message('removePieces')}
              title={message('removePieces')}
              onClick={() => setHand(null)}
            >
              ✕
            </button>
          </div>
          <div class="deeds">
            <button onClick={() => void read('startpos')}>{message('startPosition')}</button>
            <button onClick={() => setMen({})}>{message('clearBoard')}</button>
          </div>
          <fieldset>
            <legend>{message('sideToMoveField')}</legend>
            {([0, 1] as const).map((one) => (
              <label class="option" key={one}>
                <input type="radio" name="mover" checked={side === one} onChange={() => setSide(one)} />
                <span class={`dot ${look.sides[one].toLowerCase()}`} aria-hidden="true" />
                {names[one]}
              </label>
            ))}
          </fieldset>
          <label class="field">
            {message('positionText')}
            <input value={text} spellcheck={false} onInput={(event) => type(event.currentTarget.value)} onChange={(event) => void read(event.currentTarget.value)} />
          </label>
          <div role="status">
            <ul class="faults">
              {checked && grievances.length === 0 && <li class="fine">{message('validPosition')}</li>}
              {grievances.map((one) => (
                <li key={one.words}>{issueText(one, language)}</li>
              ))}
            </ul>
          </div>
          <ErrorBanner game={game} shown={shown} onOpened={onClose} />
          {grievances.length > 0 && waivable && (
            <label class="allow">
              <input type="checkbox" checked={allowed} onChange={(event) => setAllowed(event.currentTarget.checked)} />
              {message('allowPosition')}
            </label>
          )}
        </div>
      </div>
      <div class="deeds">
        <button onClick={onClose}>{message('cancel')}</button>
        <button disabled={!ready} onClick={() => void begin(false)}>
          {message('analyseFromHere')}
        </button>
        <button class="strong" disabled={!ready} onClick={() => void begin(true)}>
          {message('playFromHere')}
        </button>
      </div>
    </dialog>
  );
}

interface ManProps {
  look: BoardAppearance;
  letter: string;
  pictures: boolean;
  chosen: boolean;
  onChoose(): void;
}

/** A man to be set down. */
function Man({ look, letter, pictures, chosen, onChoose }: ManProps) {
  const name = look.men[letter]?.name ?? letter;
  return (
    <button class={`man ${chosen ? 'chosen' : ''}`} role="radio" aria-checked={chosen} aria-label={name} title={name} onClick={onChoose}>
      <Face look={look} letter={letter} pictures={pictures} />
    </button>
  );
}

/** How many different men a side has. */
function crew(look: BoardAppearance): number {
  return Object.values(look.men).filter((man) => man.side === 0).length;
}
