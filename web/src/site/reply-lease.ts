/**
 * The lease on the computer's replies in a game: of the windows of this browser that show the game, one searches the
 * reply. The browser takes it from a window that is closed.
 */
export class ReplyLease {
  private game: string | null = null;
  private giveBack?: () => void;

  constructor(private readonly onGranted: (game: string) => void) {}

  /** Requests the lease on a game, keeps it if it is requested already, or gives it back. */
  want(game: string | null): void {
    if (game === this.game) return;
    this.giveBack?.();
    this.giveBack = undefined;
    this.game = game;
    if (game === null) return;
    const { locks } = navigator as { locks?: LockManager };
    // Old browsers have no locks: there each window searches.
    if (!locks) return this.onGranted(game);
    const abort = new AbortController();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    this.giveBack = () => {
      release();
      abort.abort();
    };
    const hold = () => {
      if (game === this.game) this.onGranted(game);
      return released;
    };
    // A request that is given up is rejected.
    locks.request(`alfil-reply-${game}`, { signal: abort.signal }, hold).catch(() => {});
  }
}
