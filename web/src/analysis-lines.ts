import type { SearchInfoDto, Side } from './wire/types';

/** Collects the engine's lines of the depth that it searches now. */
export class AnalysisLines {
  private lines: SearchInfoDto[] = [];

  /**
   * Adds a line and returns the lines to show, given those that are shown now and the side to move on the board.
   * Scores of different depths or confidences are not comparable, so the lines of a new one replace those of the last
   * one when as many are known.
   */
  add(line: SearchInfoDto, shown: SearchInfoDto[], sideToMove: Side): SearchInfoDto[] {
    const isOther = ({ of, depth, confidence, rank }: SearchInfoDto) =>
      of === line.of && depth === line.depth && confidence === line.confidence && rank !== line.rank;
    const others = shown.length > 0 ? this.lines.filter(isOther) : [];
    this.lines = [...others, line];
    if (shown[0]?.of === line.of && this.lines.length < shown.length) return shown;
    // A threat is a line of the opponent, after a pass.
    const isByFirstSide = (sideToMove === 0) !== (line.threat_squares !== undefined);
    return sortByScore(this.lines, isByFirstSide ? 1 : -1);
  }
}

/**
 * Sorts the lines of one depth, the best for their side first; `sign` is 1 for the first side. An external engine may
 * report them in another order, while it searches.
 */
function sortByScore(lines: SearchInfoDto[], sign: 1 | -1): SearchInfoDto[] {
  const sorted = [...lines].sort((a, b) => sign * (b.score.value - a.score.value) || a.rank - b.rank);
  return sorted.map((line, i) => ({ ...line, rank: i + 1 }));
}
