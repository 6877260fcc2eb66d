// The board that was shown last, so that it can be drawn before the rules are loaded.

import { loadPreference, savePreference } from '../preferences';
import { parseAddress } from '../address';
import type { AppearanceDto, PositionDto, ServerResponse } from '../wire/types';
import type { LastBoard } from '../transport';

const KEY = 'board';

/** A board with the id of its game. */
interface SavedBoard extends LastBoard {
  game: string;
}

/**
 * Returns the saved board, if it is that of the game which the address names or which was saved last. Without such a
 * game one of the first kind begins, of which the page has the responses.
 */
export function loadLastBoard(): LastBoard | undefined {
  const wanted = parseAddress()[0] ?? loadPreference('game', '');
  try {
    const saved = JSON.parse(loadPreference(KEY, 'null')) as SavedBoard | null;
    const isComplete = saved?.appearance?.game && saved.position?.pieces && Array.isArray(saved.position.last);
    return isComplete && saved.game === wanted && !location.hash.includes('=') ? saved : undefined;
  } catch {
    return undefined;
  }
}

/** Notes what the responses show, and saves it when the page is left. */
export class BoardSaver {
  private appearance?: AppearanceDto;
  private position?: PositionDto;
  private game = '';

  constructor() {
    // A browser may end a hidden page without another event.
    document.addEventListener('visibilitychange', () => document.hidden && this.save());
    addEventListener('pagehide', () => this.save());
  }

  onResponse({ look, position, game }: ServerResponse): void {
    if (look) this.appearance = look;
    if (position) this.position = position;
    // The board would be turned when the game comes.
    if (game) this.game = game.person === 1 ? '' : game.id;
  }

  private save(): void {
    const { appearance, position, game } = this;
    if (!appearance || !position || !game) return;
    // No move can be made before the game is there.
    const withoutTargets = { ...position, targets: [], warnings: [], clock: null };
    savePreference(KEY, JSON.stringify({ appearance, position: withoutTargets, game } satisfies SavedBoard));
  }
}
