import type { AnalysisLineEvent, Side } from './protocol';

/** Collects the engine's lines of the depth that it searches now. */
export class AnalysisLines {
  private lines: AnalysisLineEvent[] = [];

  /**
   * Adds a line and returns the lines to show, given those that are shown now. Scores of different depths or
   * confidences are not comparable, so the lines of a new one replace those of the last one when as many are known.
   */
  add(line: AnalysisLineEvent, shown: AnalysisLineEvent[], sideToMove: Side): AnalysisLineEvent[] {
    const isOther = ({ depth, confidence, rank }: AnalysisLineEvent) =>
      depth === line.depth && confidence === line.confidence && rank !== line.rank;
    const others = shown.length > 0 ? this.lines.filter(isOther) : [];
    this.lines = [...others, line];
    return this.lines.length >= shown.length ? sortByScore(this.lines, sideToMove) : shown;
  }
}

/**
 * Sorts the lines of one depth by their scores for the side to move. The engine reports each line when its search ends,
 * and a later line may turn out better than an earlier one.
 */
function sortByScore(lines: AnalysisLineEvent[], sideToMove: Side): AnalysisLineEvent[] {
  const sign = sideToMove === 0 ? 1 : -1;
  const sorted = [...lines].sort((a, b) => sign * (b.score.value - a.score.value) || a.rank - b.rank);
  return sorted.map((line, i) => ({ ...line, rank: i + 1 }));
}
