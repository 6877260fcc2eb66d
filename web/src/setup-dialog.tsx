import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { boardAppearance, boardMessages } from './board-data';
import type { AlfilBoard } from '../board/src/element';
import type { BoardAppearance } from '../board/src/types';
import { ErrorBanner } from './error-banner';
import type { GameClient } from './game-client';
import { Delete } from './icons';
import { useMessage } from './language';
import { useLaterMessage } from './later-messages';
import { LevelField } from './level-field';
import { useModalDialog } from './modal-dialog';
import { issueText, sideNames } from './names';
import { PieceIcon } from './piece-icon';
import type { SetupDto, Side } from './wire/types';
import type { UiState } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  onClose(): void;
}

/** The number of pieces by which each arrow key moves the selection in the palette. */
const PALETTE_STEPS: Record<string, number | undefined> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** The dialog that sets up a position, from pieces on a board or from a text. It shows the issues of the position. */
export function SetupDialog({ client, state, onClose }: Props) {
  const message = useMessage();
  const laterText = useLaterMessage();
  const dialog = useModalDialog(onClose);
  const board = useRef<AlfilBoard>(null);
  const [pieces, setPieces] = useState<Record<string, string>>(state.position?.pieces ?? {});
  const [side, setSide] = useState<Side>(state.position?.side ?? 0);
  /** The piece that a click places; null removes the piece on the square. */
  const [selectedPiece, setSelectedPiece] = useState<string | null>(() => Object.keys(state.appearance?.pieces ?? {})[0] ?? null);
  const [level, setLevel] = useState(state.level);
  /** The pieces and the side of `setup`, which need no request. */
  const arranged = useRef({ pieces, side });
  /** Whether the user edited the text after the pieces. Then the text decides. */
  const textEdited = useRef(false);
  const [setup, setSetup] = useState<SetupDto>();
  const [text, setText] = useState(state.position?.fen ?? '');
  const [issuesAllowed, setIssuesAllowed] = useState(false);
  const { language } = state;
  const game = state.appearance;
  const appearance = useMemo(() => game && boardAppearance(game, language), [game, language]);

  // Before the next key or click: an effect after the frame would place the piece that was selected before.
  useLayoutEffect(() => {
    const element = board.current;
    if (!element || !appearance) return;
    element.editing = true;
    element.pictures = state.pictures;
    if (!element.look) element.look = appearance;
    element.words = boardMessages(language);
    element.pieces = pieces;
    element.over = { issues: setup?.issues.flatMap(({ squares }) => squares) ?? [] };
    const place = (event: Event) => {
      const { from, to } = (event as CustomEvent<{ from: string | null; to: string | null }>).detail;
      const changed = { ...pieces };
      const piece = from === null ? selectedPiece : pieces[from];
      if (from !== null) delete changed[from];
      if (to !== null) {
        // A click with a piece that stands on the square already removes it.
        if (piece && !(from === null && pieces[to] === piece)) changed[to] = piece;
        else delete changed[to];
      }
      setPieces(changed);
    };
    element.addEventListener('place', place);
    return () => element.removeEventListener('place', place);
  }, [pieces, selectedPiece, setup, appearance, language]);

  useEffect(() => {
    // A text also holds castling rights and move counters, which would be lost if it were written again from its
    // pieces. A change of the side alone keeps the castling rights.
    const hasSamePieces = pieces === arranged.current.pieces;
    if (hasSamePieces && side === arranged.current.side) return;
    let stale = false;
    textEdited.current = false;
    const before = hasSamePieces ? (setup?.fen ?? null) : null;
    void client.request({ do: 'arrange', pieces, side, before }).then((response) => {
      if (stale || textEdited.current || !response?.setup) return;
      arranged.current = { pieces, side };
      setSetup(response.setup);
      setText(response.setup.fen);
      setIssuesAllowed(false);
    });
    return () => {
      stale = true;
    };
  }, [pieces, side]);

  const editText = (edited: string) => {
    textEdited.current = true;
    setText(edited);
  };
  const readText = async (fen: string): Promise<SetupDto | undefined> => {
    const response = await client.request({ do: 'examine', fen, chinese: language === 'zh' });
    if (!response?.setup) {
      // The issues of the former text must not stay beside this one.
      setSetup(undefined);
      return undefined;
    }
    if (response.setup.pieces) {
      arranged.current = { pieces: response.setup.pieces, side: response.setup.side ?? side };
      setPieces(response.setup.pieces);
      setIssuesAllowed(false);
    }
    if (response.setup.side !== null) setSide(response.setup.side);
    setSetup(response.setup);
    setText(response.setup.fen);
    return response.setup;
  };
  // The text of the position has more than its pieces: castling rights, en passant and counters.
  useEffect(() => {
    const request = client.request({ do: 'examine', fen: text, chinese: language === 'zh' });
    // The user may have changed something meanwhile.
    void request.then((response) => setSetup((now) => now ?? response?.setup));
  }, []);
  if (!game || !appearance) return null;
  const issues = setup?.issues ?? [];
  const waivable = issues.every((issue) => issue.waivable);
  // Until the text is that of the pieces, a game would start from the former ones. A text that is being edited is read.
  const isArranged = textEdited.current || (pieces === arranged.current.pieces && side === arranged.current.side);
  const canStart = setup !== undefined && isArranged && (issues.length === 0 || (waivable && issuesAllowed));
  const startGame = async (againstComputer: boolean) => {
    // The text decides, because it also holds castling rights and counters. If it was edited just now, it is read
    // first.
    const fen = text.trim() || setup?.fen || '';
    const current = fen === setup?.fen ? setup : await readText(fen);
    if (!current || (current !== setup && current.issues.length > 0)) return;
    const waive = current.issues.map(({ name }) => name);
    const userSide = againstComputer ? (current.side ?? side) : null;
    if (await client.startGame(game.game, userSide, level, { fen, waive, keepsLevel: !againstComputer })) onClose();
  };
  const names = sideNames(game, language);
  const choices = [...Object.keys(appearance.pieces), null];
  // Tab goes to the selected piece, and the arrows to the others, as in each group of radio buttons.
  const onPaletteKey = (event: KeyboardEvent) => {
    const step = PALETTE_STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = (choices.indexOf(selectedPiece) + step + choices.length) % choices.length;
    setSelectedPiece(choices[index] ?? null);
    (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=radio]')[index]?.focus();
  };
  return (
    <dialog ref={dialog} class="setup" onClose={onClose} aria-label={message('setUp')}>
      <h2>{message('setUp')}</h2>
      <div class="board-area">
        <alfil-board ref={board} style={{ '--shape': appearance.files / appearance.ranks }} />
        <div class="setup-controls">
          <div
            class="palette"
            role="radiogroup"
            aria-label={laterText('palette')}
            onKeyDown={onPaletteKey}
            style={{ '--columns': Math.max(4, pieceKindCount(appearance)) }}
          >
            {Object.keys(appearance.pieces).map((letter) => (
              <PaletteButton
                key={letter}
                appearance={appearance}
                letter={letter}
                pictures={state.pictures}
                selected={selectedPiece === letter}
                onSelect={() => setSelectedPiece(letter)}
              />
            ))}
            <button
              class={`piece remove ${selectedPiece === null ? 'selected' : ''}`}
              role="radio"
              aria-checked={selectedPiece === null}
              tabIndex={selectedPiece === null ? 0 : -1}
              onClick={() => setSelectedPiece(null)}
            >
              <Delete />
              {laterText('removePieces')}
            </button>
          </div>
          <div class="actions">
            <button onClick={() => void readText('startpos')}>{message('startPosition')}</button>
            <button onClick={() => setPieces({})}>{laterText('clearBoard')}</button>
          </div>
          <fieldset>
            <legend>{laterText('sideToMoveField')}</legend>
            {([0, 1] as const).map((one) => (
              <label class="option" key={one}>
                <input type="radio" name="mover" checked={side === one} onChange={() => setSide(one)} />
                <span class={`dot ${appearance.sides[one].toLowerCase()}`} aria-hidden="true" />
                {names[one]}
              </label>
            ))}
          </fieldset>
          <label class="field">
            {laterText('positionText')}
            <input
              value={text}
              spellcheck={false}
              onInput={(event) => editText(event.currentTarget.value)}
              onChange={(event) => void readText(event.currentTarget.value)}
            />
          </label>
          <div role="status">
            <ul class="issues">
              {setup && issues.length === 0 && <li class="valid">{laterText('validPosition')}</li>}
              {issues.map((issue) => (
                <li key={issue.words}>{issueText(issue, language)}</li>
              ))}
            </ul>
          </div>
          <ErrorBanner client={client} state={state} onOpened={onClose} />
          {issues.length > 0 && waivable && (
            <label class="allow-issues">
              <input
                type="checkbox"
                checked={issuesAllowed}
                onChange={(event) => setIssuesAllowed(event.currentTarget.checked)}
              />
              {laterText('allowPosition')}
            </label>
          )}
        </div>
      </div>
      <LevelField label={message('opponent')} level={level} onLevel={setLevel} />
      <div class="actions">
        <button onClick={onClose}>{message('cancel')}</button>
        <button disabled={!canStart} onClick={() => void startGame(false)}>
          {laterText('analyseFromHere')}
        </button>
        <button class="primary" disabled={!canStart} onClick={() => void startGame(true)}>
          {laterText('playFromHere')}
        </button>
      </div>
    </dialog>
  );
}

interface PaletteButtonProps {
  appearance: BoardAppearance;
  letter: string;
  pictures: boolean;
  selected: boolean;
  onSelect(): void;
}

/** Selects the piece that a click on the board places. */
function PaletteButton({ appearance, letter, pictures, selected, onSelect }: PaletteButtonProps) {
  const name = appearance.pieces[letter]?.name ?? letter;
  return (
    <button
      class={`piece ${selected ? 'selected' : ''}`}
      role="radio"
      aria-checked={selected}
      tabIndex={selected ? 0 : -1}
      aria-label={name}
      title={name}
      onClick={onSelect}
    >
      <PieceIcon appearance={appearance} letter={letter} pictures={pictures} />
    </button>
  );
}

/** Returns the number of kinds of pieces of one side. */
function pieceKindCount({ pieces }: BoardAppearance): number {
  return Object.values(pieces).filter(({ side }) => side === 0).length;
}
