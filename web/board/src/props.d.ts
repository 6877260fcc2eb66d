import type { EarlierAppearance, EarlierOverlays } from './earlier-names.js';
import type { AlfilBoard } from './element.js';
import type { AlfilBoardEventMap } from './types.js';

/** The properties and the events of `<alfil-board>` in the templates of a framework. */
export interface AlfilBoardProps
  extends Partial<
    Pick<
      AlfilBoard,
      'pieces' | 'men' | 'targets' | 'orientation' | 'last' | 'check' | 'showsMoves' | 'editing' | 'pictures' | 'picker' | 'words'
    >
  > {
  look?: AlfilBoard['look'] | EarlierAppearance;
  over?: AlfilBoard['over'] | EarlierOverlays;
  onpick?: (event: AlfilBoardEventMap['pick'] & { currentTarget: AlfilBoard }) => void;
  ondrop?: (event: AlfilBoardEventMap['drop'] & { currentTarget: AlfilBoard }) => void;
  ondraw?: (event: AlfilBoardEventMap['draw'] & { currentTarget: AlfilBoard }) => void;
  onrefuse?: (event: AlfilBoardEventMap['refuse'] & { currentTarget: AlfilBoard }) => void;
  onplace?: (event: AlfilBoardEventMap['place'] & { currentTarget: AlfilBoard }) => void;
}
