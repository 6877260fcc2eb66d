import type { HTMLAttributes } from 'svelte/elements';
import type { AlfilBoard } from './element.js';
import type { AlfilBoardProps } from './props.js';

export * from './index.js';

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'alfil-board': Omit<HTMLAttributes<AlfilBoard>, keyof AlfilBoardProps> & AlfilBoardProps;
  }
}
