import type { ClientActions } from './client-actions';
import type { DrawnShape } from '../board/src/types';
import { joinComment, withDrawnShape } from './shapes';
import { REQUESTS } from './wire/requests';
import type { ClientRequest, ServerResponse } from './wire/types';
import type { Notice } from './ui-state';

/** A change that is not an edit of the open game, such as a deletion of games. */
export interface LibraryChange {
  /** Returns whether the server has done it, here and in `redo`. */
  undo(): Promise<boolean>;
  redo(): Promise<boolean>;
  /** The notices when it is done, and when it is undone. */
  done: Notice;
  undone: Notice;
  /** The ids of the games and collections that it changes. */
  ids: string[];
}

/** An edit of the open game, or another change. */
type Step = { change?: LibraryChange };

/** The changes of games, and how they are undone and redone. The server keeps the edits of the open game. */
export class Edits {
  private done: Step[] = [];
  private undone: Step[] = [];
  /** The comments that were typed and are not saved yet; undefined until their part of the page is loaded. */
  drafts?: { send(all: boolean): void };
  /** The request that saves a comment which was typed. */
  private commentRequest?: Promise<boolean>;

  constructor(private readonly client: ClientActions) {}

  /** Deletes a move and all moves after it. A notice says how many moves these were. */
  async deleteMoves(node: number): Promise<void> {
    const count = this.client.state.tree.nodesFrom(node).length;
    if (await this.client.changeGame({ do: 'prune', node })) {
      this.client.update({ notice: { kind: 'movesDeleted', count } });
    }
  }

  /**
   * Changes the comment on a move; one that `continues` is one edit with the last change of it. Returns whether the
   * server has saved it.
   */
  async setComment(node: number, text: string, continues = false): Promise<boolean> {
    const request = this.saveComment(node, text, continues);
    this.commentRequest = request;
    const isSaved = await request;
    if (this.commentRequest === request) this.commentRequest = undefined;
    return isSaved;
  }

  private async saveComment(node: number, text: string, continues = false): Promise<boolean> {
    const comment = joinComment(text, this.client.state.tree.node(node)?.shapes);
    const response = await this.client.request({ do: 'comment', node, text: comment, ...(continues && { continues }) });
    if (response) this.client.applyResponse(response);
    return Boolean(response);
  }

  /** Adds what a person has drawn in the position on the board, or removes it if it is there already. */
  async toggleShape(shape: DrawnShape): Promise<void> {
    const { node, game } = this.client.state;
    if (this.commentRequest) await this.commentRequest;
    const { tree } = this.client.state;
    const former = tree.node(node);
    if (!former || this.client.state.game?.id !== game?.id) return;
    const shapes = withDrawnShape(former.shapes ?? [], shape);
    // It is shown at once, so that a second shape that is drawn meanwhile keeps the first.
    this.client.update({ tree: tree.withChanges([{ ...former, shapes }]) });
    await this.saveComment(node, former.comment ?? '');
  }

  /** Sets the annotation marks of a move, by their numbers in PGN. Returns whether the server has saved them. */
  async setMarks(node: number, nags: number[]): Promise<boolean> {
    const response = await this.client.request({ do: 'marks', node, nags });
    if (response) this.client.applyResponse(response);
    return Boolean(response);
  }

  /** Puts the variation to which a move belongs before the other moves at its branch point. */
  async promote(node: number): Promise<void> {
    await this.client.changeGame({ do: 'promote', node });
  }

  /** Replaces the tags of the game. Returns whether the server has saved them. */
  async setTags(tags: [string, string][]): Promise<boolean> {
    // The search for a reply goes on meanwhile. Retrying ends, and the engine that it has stopped goes on.
    const runsEngine = this.client.state.retry?.engineOn;
    const response = await this.client.request({ do: 'tags', tags });
    // The position is the same: what is known about it stays.
    if (response) this.client.applyResponse({ ...response, node: undefined, position: undefined });
    if (response && runsEngine) this.client.runEngine(true);
    return Boolean(response);
  }

  /** Remembers that a request has changed the game. */
  onResponse(request: ClientRequest, response?: ServerResponse): void {
    const hasChanged = response?.nodes?.length || response?.removed?.length || response?.game;
    if (!REQUESTS[request.do].edits || !hasChanged) return;
    const last = this.done.at(-1);
    if (!('continues' in request && last && !last.change)) this.push({});
    this.client.clearNotice();
  }

  /** Remembers a change that was made, and shows its notice. */
  add(change: LibraryChange): void {
    this.push({ change });
    this.client.update({ notice: change.done });
  }

  /** Forgets the changes of games or collections that cannot be undone or redone any more. */
  forgetChangesOf(ids: string[]): void {
    const gone = new Set(ids);
    const isKept = ({ change }: Step) => !change?.ids.some((id) => gone.has(id));
    this.done = this.done.filter(isKept);
    this.undone = this.undone.filter(isKept);
    this.client.clearNotice();
  }

  /**
   * Forgets the edits of the former game, and the changes of the library: the buttons of a game do not change others.
   * Deleted games can be restored from their list.
   */
  onGameOpened(): void {
    this.done = [];
    this.undone = [];
    this.client.clearNotice();
  }

  private push(step: Step): void {
    this.done.push(step);
    this.undone = [];
  }

  /** Returns whether there is anything to undo. */
  canUndo(): boolean {
    return Boolean(this.client.state.edits?.undo) || this.done.some((step) => step.change);
  }

  /** Returns whether there is anything to redo. */
  canRedo(): boolean {
    return Boolean(this.client.state.edits?.redo) || this.undone.some((step) => step.change);
  }

  /** Undoes the last change. */
  async undo(): Promise<void> {
    await this.apply('undo', this.done, this.undone);
  }

  /** Redoes the change that was undone last. */
  async redo(): Promise<void> {
    await this.apply('redo', this.undone, this.done);
  }

  private async apply(direction: 'undo' | 'redo', from: Step[], to: Step[]): Promise<void> {
    const { client } = this;
    // Edits from before a reload of the page are known to the server only.
    const hasEdit = Boolean(client.state.edits?.[direction]);
    const step = from.pop() ?? (hasEdit ? {} : undefined);
    if (!step || (!step.change && !hasEdit)) return;
    const { change } = step;
    if (!change && !hasEdit) return this.apply(direction, from, to);
    if (change) {
      const isDone = await change[direction]();
      (isDone ? to : from).push(step);
      if (isDone) client.update({ notice: direction === 'undo' ? change.undone : { ...change.done } });
      return;
    }
    to.push(step);
    const response = await client.applyEdit(direction);
    if (response?.edit) client.update({ notice: { kind: direction, edit: response.edit } });
  }
}
