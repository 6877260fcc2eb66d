import { useMemo } from 'preact/hooks';
import { boardAppearance } from './board-data';
import { Clock } from './clock';
import type { GameClient } from './game-client';
import { recordedPlayer } from './game-texts';
import { useMessage } from './language';
import { sideNames } from './names';
import { PieceIcon } from './piece-icon';
import { formatMaterial } from './score';
import { type UiState, bottomSide, isGameOver, isWatched } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  /** Whether the bar is above the board. */
  top?: boolean;
}

/** The player above or below the board: the side, who plays it, the piece count and the clock. */
export function PlayerBar({ client, state, top = false }: Props) {
  const message = useMessage();
  const { appearance, position, turn, language, game } = state;
  const { userSide } = client;
  const bottom = bottomSide(state);
  const side = (top ? 1 - bottom : bottom) as 0 | 1;
  const toMove = position?.side === side && !isGameOver(state);
  // The user may look at another position meanwhile.
  const searches = turn.replying && (userSide === null ? toMove : side !== userSide);
  const name = appearance ? sideNames(appearance, language)[side] : '';
  const level = game?.levels?.[side] ?? game?.level ?? 0;
  const computer = (userSide !== null && game?.engine) || message('computer', level);
  const player = side === userSide ? message('you') : computer;
  const fromBook = state.node === state.bookNode && position?.side === 1 - side;
  const recorded = recordedPlayer(game, appearance?.sides[side] ?? '', language);
  return (
    <p class={`player ${toMove ? 'to-move' : ''}`}>
      <span class={`dot ${appearance?.sides[side].toLowerCase() ?? ''}`} aria-hidden="true" />
      <b>{name}</b>
      <span class="player-name">{userSide === null && !isWatched(game) ? recorded : player}</span>
      {searches && <span class="thinking">{message('thinking')}</span>}
      {fromBook && <span class="from-book">{message('openingBook')}</span>}
      <Captured state={state} side={side} />
      <span class="piece-count">{appearance?.shows_piece_counts ? position?.tally[side] : ''}</span>
      <Clock state={state} side={side} name={name} />
    </p>
  );
}

/** The pieces that a side has captured, and by how much it is ahead in material. */
function Captured({ state: { appearance, position, language, pictures }, side }: { state: UiState; side: 0 | 1 }) {
  const message = useMessage();
  const board = useMemo(() => appearance && boardAppearance(appearance, language), [appearance, language]);
  const material = position?.material;
  const letters = material?.captured[side === 0 ? 1 : 0] ?? [];
  const ahead = (side === 0 ? 1 : -1) * (material?.difference ?? 0);
  if (!board || (letters.length === 0 && ahead <= 0)) return null;
  const names = letters.map((letter) => board.pieces[letter]?.name ?? letter).join(', ');
  const texts = [letters.length > 0 && message('captured', names), ahead > 0 && message('ahead', formatMaterial(ahead).slice(1))];
  const label = texts.filter((text) => text).join('; ');
  return (
    <span class="captured" role="img" aria-label={label} title={label}>
      {letters.map((letter, i) => (
        <span key={`${letter}${i}`} class={letter === letters[i - 1] ? 'same' : ''}>
          <PieceIcon appearance={board} letter={letter} pictures={pictures} />
        </span>
      ))}
      {ahead > 0 && <b>{formatMaterial(ahead)}</b>}
    </span>
  );
}
