import type { ClientActions } from './client-actions';
import type { Edits } from './edits';
import type { SavedGame } from './wire/types';

/** The list of saved games. */
export class SavedGames {
  constructor(
    private readonly client: ClientActions,
    private readonly edits: Edits,
  ) {}

  /** Loads the list from its beginning, or the part after the entries that are known. */
  async load(known: SavedGame[] = []): Promise<void> {
    const response = await this.client.request({ do: 'games', skip: known.length });
    if (!response) return;
    // A game that was played meanwhile has moved in the list and may come a second time.
    const added = response.kept?.filter(({ id }) => !known.some((game) => game.id === id)) ?? [];
    this.client.update({ savedGames: [...known, ...added], hasMoreSavedGames: response.more ?? false });
  }

  /** Deletes a game, which can be undone. */
  async delete(id: string): Promise<void> {
    if (!(await this.remove(id))) return;
    this.edits.add({
      undo: () => this.restore(id),
      redo: () => this.remove(id),
      done: { kind: 'gameDeleted' },
      undone: { kind: 'gameRestored' },
      ids: [id],
    });
  }

  /**
   * Deletes a game. If it is the open game, the server continues it as a new game with another id. Returns whether the
   * server has done it.
   */
  async remove(id: string): Promise<boolean> {
    const { client } = this;
    const response = await client.request({ do: 'forget', game: id });
    if (!response) return false;
    client.update({ savedGames: client.state.savedGames.filter((game) => game.id !== id) });
    client.renameGame(response);
    return true;
  }

  /** Brings a deleted game back. Returns whether the server has done it. */
  async restore(id: string): Promise<boolean> {
    const response = await this.client.request({ do: 'restore', game: id });
    if (response) this.client.update({ savedGames: response.kept ?? [], hasMoreSavedGames: response.more ?? false });
    return Boolean(response);
  }
}
