import type { Arrow, BoardAppearance, BoardMessages, BoardTarget, Overlays, SquareValue } from '../board/src/types';
import { type Language, message } from './messages';
import { refusalText, warningText } from './names';
import type { AppearanceDto, PositionDto } from './wire/types';
import { formatShortScore } from './score';
import type { UiState } from './ui-state';

// Converts the data of the server to the data of the board element.

/**
 * Returns the appearance of a game with its names in a language, and with the edges of a dialect. The names of the
 * sides are also colours and stay English.
 */
export function boardAppearance(appearance: AppearanceDto, language: Language, dialect?: string): BoardAppearance {
  const { title, title_zh, files, ranks, layout, file_names, rank_names, lines, marks } = appearance;
  const { sides, legend, legend_outlines } = appearance;
  const edge_names = dialect === undefined ? undefined : appearance.edge_names_by_dialect[dialect];
  const board = { edge_names, files, ranks, layout, file_names, rank_names, lines, marks, sides, legend, legend_outlines };
  const chinese = language === 'zh';
  const pieces = Object.entries(appearance.pieces).map(([letter, { side, name, name_zh, outline, picture }]) => {
    return [letter, { side, name: (chinese && name_zh) || name, outline, picture }] as const;
  });
  return { ...board, title: (chinese && title_zh) || title, pieces: Object.fromEntries(pieces) };
}

/** Returns the texts of the board for screen readers. */
export function boardMessages(language: Language): BoardMessages {
  return {
    board: message(language, 'board', '{0}'),
    empty: message(language, 'empty'),
    picked: message(language, 'selected'),
    open: message(language, 'canMoveHere'),
    refused: message(language, 'mayNotMoveHere'),
  };
}

/**
 * Returns the legal moves of a position. A move that ends the game by a rule carries a warning, one that the ruleset
 * refuses the reason.
 */
export function boardTargets({ targets, refused = [], warnings }: PositionDto, language: Language): BoardTarget[] {
  const allowed = targets.map(({ from, to, text, script, choice }) => {
    const warning = warnings.find((one) => one.text === text);
    const note = warning && warningText(warning, warning.label, language);
    return { from, to, text, script, choice, note };
  });
  const refusals = refused.map((move) => {
    const { from, to, text, label } = move;
    return { from, to, text, script: [], choice: null, refused: refusalText(move, label, language) };
  });
  return [...allowed, ...refusals];
}

/** Returns the moves that the user may enter before the computer's reply. */
export function premoveTargets({ premoveTargets: targets, turn, game, position }: UiState): BoardTarget[] {
  return turn.replying && game?.person !== null && game?.person !== position?.side ? targets : [];
}

/** Returns the parts of the state on which `overlays` depends. */
export function overlaySources(state: UiState): unknown[] {
  const { analysisLines, appearance, explanationArrows, hint, lineCount, position, premove, tacticalMarks } = state;
  const { shapes } = state.tree.node(state.node) ?? {};
  return [analysisLines, appearance, explanationArrows, hint, lineCount, position, premove, shapes, tacticalMarks];
}

/** Returns everything that is drawn over the pieces. */
export function overlays(state: UiState): Overlays {
  const shapes = state.tree.node(state.node)?.shapes;
  const premove = state.premove && [state.premove.from, state.premove.to].filter((square) => square !== null);
  return { arrows: arrows(state), shapes, premove, values: moveValues(state), tacticalMarks: state.tacticalMarks };
}

/** Returns the arrows of a ruling or of a retry, else of the hint, else of the first moves of the engine's lines. */
function arrows({ hint, analysisLines, position, lineCount, appearance, explanationArrows }: UiState): Arrow[] {
  if (explanationArrows.length > 0) return explanationArrows;
  if (hint?.to) return [{ from: hint.from, to: hint.to, rank: 1 }];
  if (appearance?.shows_move_values && !analysisLines[0]?.threat_squares) return [];
  const found = analysisLines.slice(0, lineCount).map(({ line, rank, threat_squares: threat }) => {
    const [first, last] = threat ?? [];
    if (first !== undefined) return { from: last === undefined ? null : first, to: last ?? first, rank };
    const target = position?.targets.find((one) => one.text === line[0]);
    return target?.to ? { from: target.from, to: target.to, rank } : undefined;
  });
  return found.filter((arrow) => arrow !== undefined);
}

/** Returns the value of each legal move by its square: positive if the first side is ahead, as elsewhere. */
function moveValues({ analysisLines, position, appearance }: UiState): Record<string, SquareValue> {
  if (!appearance?.shows_move_values || !position || analysisLines.length === 0) return {};
  if (analysisLines[0]?.threat_squares) return {};
  const sign = position.side === 0 ? 1 : -1;
  const best = Math.max(...analysisLines.map(({ score }) => sign * score.value));
  const found: Record<string, SquareValue> = {};
  for (const { line, score } of analysisLines) {
    const target = position.targets.find((one) => one.text === line[0]);
    if (target?.to) found[target.to] = { words: formatShortScore(score), best: sign * score.value === best };
  }
  return found;
}
