import { AnalysisLines } from './analysis-lines';
import { type EngineOptions, saveEngineOptions } from './engine-options';
import { loadPreference, savePreference } from './preferences';
import type { SearchInfoDto, GameDto } from './wire/types';
import { SteppingClient } from './stepping-client';
import { isPlayed, searchedMove } from './ui-state';

/** The time of an analysis that "Search longer" starts, in seconds. */
const LONG_SEARCH_SECONDS = 300;
/** The number of lines of an analysis that shows the value of every legal move. */
const MAX_LINES = 64;

/** The part of the client that lets the engine analyse the position on the board. */
export abstract class AnalysingClient extends SteppingClient {
  private readonly lines = new AnalysisLines();
  /** The number of analyses that were requested. */
  private analyses = 0;
  /** Whether an analysis waits until the tab is seen again. */
  private pausedWhileHidden = false;
  /** The time of the analysis that was requested last, if it is not the usual one. */
  private seconds?: number;

  /** Returns whether the engine runs in a game that is opened: in an analysis, unless the user has switched it off. */
  protected runsEngineIn(game: GameDto | undefined): boolean {
    return !isPlayed(game) && loadPreference('engine', 'on') === 'on';
  }

  /** Switches the engine on or off for this game and later ones. */
  setEngine(on: boolean): void {
    savePreference('engine', on ? 'on' : 'off');
    this.runEngine(on);
  }

  /** Lets the engine analyse this game with a number of lines, or stops it. */
  runEngine(on: boolean, lineCount = this.state.lineCount): void {
    const { engineOn } = this.state;
    savePreference('lines', String(lineCount));
    this.update({ engineOn: on, lineCount, analysisLines: [] });
    if (on) void this.refreshAnalysis();
    // A search for a reply of the computer continues without the engine panel, and a review while the engine is off.
    else if (engineOn && !searchedMove(this.state)) void this.request({ do: 'stop' });
  }

  /** Searches with other threads, memory or time, or what the opponent threatens. */
  setEngineOptions(options: EngineOptions, threatOn = this.state.threatOn): void {
    saveEngineOptions(options);
    this.update({ engineOptions: options, threatOn, analysisLines: [] });
    if (this.state.engineOn) void this.refreshAnalysis();
  }

  searchLonger(): void {
    void this.analyse(LONG_SEARCH_SECONDS);
  }

  setXray(on: boolean): void {
    this.update({ xray: on, tacticalMarks: [] });
    if (on) void this.loadTacticalMarks();
  }

  /** Requests what is shown about the position: tactical marks and engine lines. */
  protected async refreshAnalysis(): Promise<void> {
    if (this.state.xray) await this.loadTacticalMarks();
    if (this.state.engineOn) await this.analyse();
  }

  private async loadTacticalMarks(): Promise<void> {
    const { node } = this.state;
    const response = await this.requestQuietly({ do: 'tactical_marks' });
    if (response && node === this.state.node && this.state.xray) this.update({ tacticalMarks: response.tactical_marks ?? [] });
  }

  /** Pauses the analysis of a hidden tab, and resumes it. A reply of the computer is searched to its end. */
  protected onVisibilityChange(): void {
    if (document.hidden && this.state.analysing && !searchedMove(this.state)) {
      this.pausedWhileHidden = true;
      void this.requestQuietly({ do: 'stop' });
    } else if (!document.hidden && this.pausedWhileHidden) {
      this.pausedWhileHidden = false;
      if (this.state.engineOn && this.state.reviewedPositions === undefined) void this.analyse(this.seconds);
    }
  }

  private async analyse(seconds?: number): Promise<void> {
    this.seconds = seconds;
    if (document.hidden) {
      this.pausedWhileHidden = true;
      return;
    }
    const { position, appearance, lineCount, connected } = this.state;
    if (!connected || searchedMove(this.state) || !position || position.ending || position.targets.length === 0) return;
    const { generation } = this;
    const number = ++this.analyses;
    this.update({ analysing: true });
    const lines = appearance?.shows_move_values ? MAX_LINES : lineCount;
    const { engineOptions, threatOn, analyser: engine } = this.state;
    const infinite = seconds === undefined ? engineOptions.infinite : undefined;
    await this.request({ do: 'analyse', lines, seconds, ...engineOptions, infinite, threat: threatOn || undefined, engine });
    if (number !== this.analyses) return;
    // Another search may have been queued meanwhile.
    this.update({ analysing: false, ...(generation === this.generation && { searchQueued: false }) });
  }

  /** Shows a line of the engine for the position on the board. */
  protected onAnalysisLine(event: SearchInfoDto): void {
    const { node, engineOn, analysisLines: shownLines, position } = this.state;
    if (event.node !== node || !engineOn || searchedMove(this.state)) return;
    const analysisLines = this.lines.add(event, shownLines, position?.side ?? 0);
    const isBest = event.rank === 1 && !event.threat_squares;
    const tree = isBest ? this.state.tree.withScore(event.node, { score: event.score }) : this.state.tree;
    this.update({ analysisLines, tree, searchQueued: false });
  }
}
