import type { Arrow, BoardAppearance, BoardMessages, BoardTarget, Overlays, SquareValue } from './board/types';
import { showsMoveValues } from './features';
import { verdictText } from './names';
import { short } from './score';
import type { Shown } from './shown';
import { type Language, message } from './messages';
import type { AppearanceDto, PositionDto, Side, AnalysisLineEvent } from './protocol';

// Converts the data of the server to the data of the board element, which knows no server.

/** Returns the appearance of a game with its names in a language. The names of the sides are also colours and stay English. */
export function boardAppearance(look: AppearanceDto, language: Language): BoardAppearance {
  const { title, title_zh, files, ranks, layout, file_names, rank_names, lines, marks, sides, legend, legend_outlines } = look;
  const board = { files, ranks, layout, file_names, rank_names, lines, marks, sides, legend, legend_outlines };
  const chinese = language === 'zh';
  const men = Object.entries(look.men).map(([letter, { side, name, name_zh, outline, picture }]) => {
    return [letter, { side, name: (chinese && name_zh) || name, outline, picture }] as const;
  });
  return { ...board, title: (chinese && title_zh) || title, men: Object.fromEntries(men) };
}

/** Returns the texts of the board for screen readers. */
export function boardMessages(language: Language): BoardMessages {
  return {
    board: message(language, 'board', '{0}'),
    empty: message(language, 'empty'),
    picked: message(language, 'selected'),
    open: message(language, 'canMoveHere'),
  };
}

/** Returns the legal moves of a position. A move that ends the game by a rule carries a warning. */
export function boardTargets({ targets, warnings }: PositionDto, language: Language): BoardTarget[] {
  return targets.map(({ from, to, text, script, choice }) => {
    const warning = warnings.find((one) => one.text === text);
    const note = warning && message(language, 'endsGame', warning.label, verdictText(warning.ending, language));
    return { from, to, text, script, choice, note };
  });
}

/** Returns everything that is drawn over the pieces. */
export function overlays(shown: Shown): Overlays {
  return { arrows: arrows(shown), values: values(shown), sights: shown.sights };
}

/** Returns the attacks of a move under judgement, else the hint, else the first moves of the engine's lines. */
function arrows({ hint, thoughts, position, lines, look, attacks }: Shown): Arrow[] {
  if (attacks.length > 0) return attacks;
  if (hint?.to) return [{ from: hint.from, to: hint.to, rank: 1 }];
  if (look && showsMoveValues(look)) return [];
  const found = thoughts.slice(0, lines).map(({ line, rank }) => {
    const target = position?.targets.find((one) => one.text === line[0]);
    return target?.to ? { from: target.from, to: target.to, rank } : undefined;
  });
  return found.filter((arrow) => arrow !== undefined);
}

/** Returns the value of each legal move for the side to move, by its square. */
function values({ thoughts, position, look }: Shown): Record<string, SquareValue> {
  if (!look || !showsMoveValues(look) || !position || thoughts.length === 0) return {};
  const sign = position.side === 0 ? 1 : -1;
  const best = Math.max(...thoughts.map(({ score }) => sign * score.value));
  const found: Record<string, SquareValue> = {};
  for (const { line, score } of thoughts) {
    const target = position.targets.find((one) => one.text === line[0]);
    const value = { value: sign * score.value, mate: score.mate === null ? null : sign * score.mate };
    if (target?.to) found[target.to] = { words: short(value), best: sign * score.value === best };
  }
  return found;
}

/**
 * Returns the lines of one depth in the order of their scores for the side to move. The engine reports a line when it is
 * searched, and a later line may turn out better than an earlier one.
 */
export function ranked(thoughts: AnalysisLineEvent[], side: Side): AnalysisLineEvent[] {
  const sign = side === 0 ? 1 : -1;
  const sorted = [...thoughts].sort((a, b) => sign * (b.score.value - a.score.value) || a.rank - b.rank);
  return sorted.map((thought, i) => ({ ...thought, rank: i + 1 }));
}
