import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { AlfilBoard } from './element.js';
import type { AlfilBoardProps } from './props.js';

export * from './index.js';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'alfil-board': DetailedHTMLProps<Omit<HTMLAttributes<AlfilBoard>, keyof AlfilBoardProps> & AlfilBoardProps, AlfilBoard>;
    }
  }
}
