import type { GameClient } from './game-client';
import type { TreeNode } from './shapes';

/** A comment that was typed and is not saved yet. */
export interface CommentDraft {
  /** The id of the game. */
  game: string;
  /** The moves to the commented one: another window may have given its number to another move. */
  path: string;
  /** The saved comment on which the text is based. If it is another one now, another window has changed it. */
  base: string;
  text: string;
  /** When a letter was typed last, in milliseconds since 1970. */
  at: number;
  /** The text that is being saved. */
  sent?: string;
  /** The saved comment instead of which the server has refused the text. It is not sent again. */
  refused?: string;
}

/** How long a comment waits for more letters before it is saved, in milliseconds. */
export const SAVE_DELAY_MS = 500;
/** The time after which the texts of another window are taken over, which has been closed, in milliseconds. */
const FORSAKEN_MS = 60_000;
const MAX_DRAFTS = 100;
const KEY = 'alfil.comments.';

/** Returns the moves to a node as a text. */
export function pathText(client: GameClient, node: number): string {
  return client.state.tree.pathTo(node).map(({ text }) => text).join(' ');
}

/** Returns the text of a comment as it is saved and compared. */
export const commentText = (node: TreeNode | undefined) => (node?.comment ?? '').trim();

/**
 * The comments that were typed and are not saved yet. They are in the storage of the browser with the first letter, so
 * that they survive a reload, another game and a server that is gone, and are sent when their game is open.
 */
export class CommentDrafts {
  private static readonly all = new WeakMap<GameClient, CommentDrafts>();
  private drafts: CommentDraft[];
  /** The name of this window, which a reload keeps. */
  private readonly window = windowName();
  private timer?: ReturnType<typeof setTimeout>;
  /** The move whose comment is in the field. */
  shown?: { game: string; path: string };
  /** The move whose comment was saved since the field has the focus: more of it is the same edit. */
  private sitting?: string;

  static of(client: GameClient): CommentDrafts {
    const drafts = this.all.get(client) ?? new CommentDrafts(client);
    this.all.set(client, drafts);
    return drafts;
  }

  private constructor(private readonly client: GameClient) {
    this.drafts = loadDrafts(this.window);
    client.edits.drafts = this;
    this.sendLater();
  }

  find(game: string, path: string): CommentDraft | undefined {
    return this.drafts.find((draft) => draft.game === game && draft.path === path);
  }

  /** Takes over what is in the field now; `comment` is what is saved. */
  type(game: string, path: string, comment: string, text: string): void {
    let draft = this.find(game, path);
    if (!draft) {
      draft = { game, path, base: comment, text, at: 0 };
      this.drafts = [...this.drafts.slice(1 - MAX_DRAFTS), draft];
    }
    Object.assign(draft, { text, at: Date.now(), refused: undefined });
    this.keep();
    this.sendLater();
  }

  /** Saves a text although another window has changed the comment, which is known. */
  decide(draft: CommentDraft, comment: string, text: string): void {
    Object.assign(draft, { text, base: comment, at: 0 });
    this.send();
  }

  drop(draft: CommentDraft): void {
    this.drafts = this.drafts.filter((other) => other !== draft);
    this.keep();
  }

  /** Saves what is in the field, which is left: what is typed later is another edit. */
  leave(): void {
    // What the server has refused is tried once more.
    for (const draft of this.drafts.filter((each) => this.isShown(each))) draft.refused = undefined;
    this.send(true);
    this.sitting = undefined;
  }

  private sendLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), SAVE_DELAY_MS);
  }

  /** Sends the texts of the open game; that of the field only if no letter was typed for a moment, or `all`. */
  send(all = false): void {
    const { state } = this.client;
    if (!state.connected || !this.client.hasOpenGame) return;
    for (const draft of this.drafts) {
      const isTyped = this.isShown(draft) && Date.now() - draft.at < SAVE_DELAY_MS;
      if (draft.game === state.game?.id && draft.sent === undefined && (all || !isTyped)) void this.save(draft);
    }
  }

  private isShown({ game, path }: CommentDraft): boolean {
    return this.shown?.game === game && this.shown.path === path;
  }

  private async save(draft: CommentDraft): Promise<void> {
    const { client } = this;
    const node = nodeAfter(client, draft.path);
    if (!node) return;
    const comment = commentText(node);
    let text = draft.text.trim();
    if (comment === text) return this.drop(draft);
    if (comment !== draft.base) {
      // In the field the user chooses what becomes of both texts; else both are kept.
      if (this.isShown(draft)) return;
      text = joinTexts(comment, text);
    }
    if (draft.refused === comment) return;
    const typed = draft.text;
    draft.sent = text;
    const continues = this.sitting === `${draft.game} ${draft.path}`;
    const isSaved = await client.edits.setComment(node.node, text, continues);
    draft.sent = undefined;
    if (!isSaved) {
      // Without a connection it is sent again after that.
      if (client.state.connected) draft.refused = comment;
      return;
    }
    if (this.isShown(draft)) this.sitting = `${draft.game} ${draft.path}`;
    if (draft.text === typed) return this.drop(draft);
    draft.base = text;
    this.keep();
    this.sendLater();
  }

  /** Writes the texts into the storage of the browser. */
  private keep(): void {
    try {
      const kept = this.drafts.map(({ sent, refused, ...draft }) => draft);
      if (kept.length > 0) localStorage.setItem(KEY + this.window, JSON.stringify(kept));
      else localStorage.removeItem(KEY + this.window);
    } catch {
      // A private window may deny access to the storage: the texts are lost if it is closed before they are saved.
    }
  }
}

/** Returns both texts one after the other. */
export function joinTexts(theirs: string, mine: string): string {
  return [theirs, mine.trim()].filter(Boolean).join(' ');
}

function nodeAfter({ state: { tree } }: GameClient, path: string): TreeNode | undefined {
  let node = tree.node(0);
  for (const text of path.split(' ').slice(1)) {
    const next = tree.children(node?.node ?? 0).find((child) => tree.node(child)?.text === text);
    node = next === undefined ? undefined : tree.node(next);
    if (!node) return undefined;
  }
  return node;
}

function windowName(): string {
  const name = Math.random().toString(36).slice(2);
  try {
    const known = sessionStorage.getItem('alfil.window') ?? name;
    sessionStorage.setItem('alfil.window', known);
    return known;
  } catch {
    return name;
  }
}

/** Returns the texts of this window before it was loaded again, and those of windows that were closed. */
function loadDrafts(window: string): CommentDraft[] {
  const found: CommentDraft[] = [];
  try {
    for (const key of Object.keys(localStorage).filter((name) => name.startsWith(KEY))) {
      const drafts = JSON.parse(localStorage.getItem(key) ?? '[]') as CommentDraft[];
      const isOwn = key === KEY + window;
      if (!isOwn && drafts.some(({ at }) => Date.now() - at < FORSAKEN_MS)) continue;
      found.push(...drafts);
      if (!isOwn) localStorage.removeItem(key);
    }
  } catch {
    // Nothing can be read, or it is damaged.
  }
  return found;
}
