import { lazyComponent } from './lazy-component';

/** The dialog that prints the game, loaded when it is first shown. All its users share this component. */
export const PrintDialog = lazyComponent(() => import('./print-dialog').then(({ PrintDialog: loaded }) => loaded));
