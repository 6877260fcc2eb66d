import type { HTMLAttributes } from 'preact';
import type { AlfilBoard } from './element.js';
import type { AlfilBoardProps } from './props.js';

export * from './index.js';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'alfil-board': Omit<HTMLAttributes<AlfilBoard>, keyof AlfilBoardProps> & AlfilBoardProps;
    }
  }
}
