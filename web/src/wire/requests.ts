// Generated from crates/page/src/wire by `cargo xtask wire`: do not edit.

import type { ClientRequest } from './types';

/** What the page has to know of a request. */
export interface RequestTraits {
  /** Whether it makes an edit of the open game, which can be undone. */
  edits?: true;
  /** Whether it starts a search. */
  searches?: true;
}

/** What the page has to know of each request, by its name. */
export const REQUESTS: Record<ClientRequest['do'], RequestTraits> = {
  analyse: { searches: true },
  arrange: {},
  comment: { edits: true },
  continue: {},
  diagrams: {},
  dialect: {},
  engines: {},
  examine: {},
  export: {},
  forget: {},
  games: {},
  go: {},
  hint: { searches: true },
  import: {},
  lessons: {},
  library: {},
  marks: { edits: true },
  nags: {},
  new: {},
  open: {},
  pace: {},
  pause: {},
  play: { edits: true },
  positions: {},
  premoves: {},
  promote: { edits: true },
  prune: { edits: true },
  quiz: {},
  redo_change: {},
  resign: { edits: true },
  restore: {},
  review: { searches: true },
  rule: {},
  rule_all: {},
  ruleset: {},
  seat: {},
  starts: {},
  stop: {},
  summary: {},
  tactical_marks: {},
  tags: { edits: true },
  try: { searches: true },
  undo: { edits: true },
  undo_change: {},
  walk: { edits: true },
};
