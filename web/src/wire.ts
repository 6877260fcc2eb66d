/** The shapes that go over the socket: see apps/server/src/wire.rs. */

export interface Change {
  do: 'put' | 'lift' | 'turn';
  square: string;
  piece: string;
}

export interface Target {
  from: string | null;
  to: string | null;
  text: string;
  script: Change[];
  choice: string | null;
}

export interface Step {
  text: string;
  script: Change[];
  sound: 'move' | 'capture' | 'check' | 'end';
}

export interface Ending {
  winner: 0 | 1 | null;
  cause: string;
  words: string;
}

export interface Position {
  fen: string;
  side: 0 | 1;
  men: Record<string, string>;
  last: string[];
  check: string | null;
  words: string;
  ending: Ending | null;
  targets: Target[];
  record: string[];
}

export interface Look {
  game: string;
  title: string;
  files: number;
  ranks: number;
  layout: 'points' | 'checkered' | 'cells';
  file_names: string[];
  rank_names: string[];
  lines: [number, number, number, number][];
  marks: [number, number][];
  sides: [string, string];
  men: Record<string, { side: 0 | 1; name: string; outline: string }>;
  legend: string[];
}

export interface GameName {
  game: string;
  title: string;
  sides: [string, string];
}

export interface Answer {
  id: number;
  error?: string;
  games?: GameName[];
  look?: Look;
  step?: Step;
  steps?: Step[];
  position?: Position;
}

export interface Thought {
  event: 'thought';
  depth: number;
  score: number;
  nodes: number;
  line: string[];
}
