import type { GameClient } from './game-client';
import type { DrawnShape } from '../board/src/types';
import { joinComment, withDrawnShape } from './shapes';
import type { ClientRequest, ServerResponse } from './protocol';

/** Requests that change the moves, the comments or the tags of the open game. */
const EDIT_REQUESTS = new Set(['play', 'walk', 'prune', 'comment', 'tags', 'resign', 'undo']);

/** An edit of the open game, or the id of a deleted game. */
type Step = { deletedGame?: string };

/** The changes of games, and how they are undone and redone. The server keeps the edits of the open game. */
export class Edits {
  private done: Step[] = [];
  private undone: Step[] = [];

  constructor(private readonly client: GameClient) {}

  /** Deletes a move and all moves after it. A notice says how many moves these were. */
  async deleteMoves(node: number): Promise<void> {
    const count = this.client.state.tree.nodesFrom(node).length;
    if (await this.client.changeGame({ do: 'prune', node })) {
      this.client.update({ notice: { kind: 'movesDeleted', count } });
    }
  }

  /** Changes the comment on a move. Returns whether the server has saved it. */
  async setComment(node: number, text: string): Promise<boolean> {
    const comment = joinComment(text, this.client.state.tree.node(node)?.shapes);
    const response = await this.client.request({ do: 'comment', node, text: comment });
    if (response) this.client.applyResponse(response);
    return Boolean(response);
  }

  /** Adds what a person has drawn in the position on the board, or removes it if it is there already. */
  async toggleShape(shape: DrawnShape): Promise<void> {
    const { tree, node } = this.client.state;
    const former = tree.node(node);
    if (!former) return;
    const shapes = withDrawnShape(former.shapes ?? [], shape);
    // It is shown at once, so that a second shape that is drawn meanwhile keeps the first.
    this.client.update({ tree: tree.withChanges([{ ...former, shapes }]) });
    await this.setComment(node, former.comment ?? '');
  }

  /** Replaces the tags of the game. Returns whether the server has saved them. */
  async setTags(tags: [string, string][]): Promise<boolean> {
    // The search for a reply goes on meanwhile.
    const response = await this.client.request({ do: 'tags', tags });
    if (response) this.client.applyResponse(response);
    return Boolean(response);
  }

  /** Remembers that a request has changed the game. */
  onResponse({ do: name }: ClientRequest, response?: ServerResponse): void {
    const hasChanged = response?.nodes?.length || response?.removed?.length || response?.game;
    if (!EDIT_REQUESTS.has(name) || !hasChanged) return;
    this.add({});
    this.client.clearNotice();
  }

  /** Remembers that a game was deleted. */
  onGameDeleted(id: string): void {
    this.add({ deletedGame: id });
    this.client.update({ notice: { kind: 'gameDeleted' } });
  }

  /** Forgets the edits of the former game; deleted games can still be restored. */
  onGameOpened(): void {
    this.done = this.done.filter((step) => step.deletedGame);
    this.undone = [];
    this.client.clearNotice();
  }

  private add(step: Step): void {
    this.done.push(step);
    this.undone = [];
  }

  /** Returns whether there is anything to undo. */
  canUndo(): boolean {
    return Boolean(this.client.state.edits?.undo) || this.done.some((step) => step.deletedGame);
  }

  /** Returns whether there is anything to redo. */
  canRedo(): boolean {
    return Boolean(this.client.state.edits?.redo) || this.undone.some((step) => step.deletedGame);
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
    if (!step) return;
    if (step.deletedGame === undefined && !hasEdit) return this.apply(direction, from, to);
    if (step.deletedGame !== undefined) {
      const isDone = await this.applyGameDeletion(direction, step.deletedGame);
      (isDone ? to : from).push(step);
      return;
    }
    to.push(step);
    const response = await client.applyEdit(direction);
    if (response?.edit) client.update({ notice: { kind: direction, edit: response.edit } });
  }

  /** Restores or deletes a game again. Returns whether the server has done it. */
  private async applyGameDeletion(direction: 'undo' | 'redo', id: string): Promise<boolean> {
    const { savedGames } = this.client;
    const isDone = direction === 'undo' ? await savedGames.restore(id) : await savedGames.remove(id);
    if (isDone) this.client.update({ notice: { kind: direction === 'undo' ? 'gameRestored' : 'gameDeleted' } });
    return isDone;
  }
}
