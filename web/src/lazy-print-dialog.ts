import { lazyComponent } from './lazy-component';

/** The dialog that prints the game. It is a part of the first script because of the styles that its import needs. */
export const PrintDialog = lazyComponent(() => import('./print-dialog').then(({ PrintDialog: loaded }) => loaded));
