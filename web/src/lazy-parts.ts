// The parts of the page that are loaded when they are first shown. They are listed in one module of the first load:
// a dynamic import in a part that is loaded later would wait for the file of the style, which is in index.html.

import { lazyComponent } from './lazy-component';

export const AuthorityTable = lazyComponent(() => import('./authority-table').then(({ AuthorityTable: loaded }) => loaded));
export const CommentField = lazyComponent(() => import('./comment-field').then(({ CommentField: loaded }) => loaded));
export const DetailsDialog = lazyComponent(() => import('./details-dialog').then(({ DetailsDialog: loaded }) => loaded));
export const KeysDialog = lazyComponent(() => import('./keys-dialog').then(({ KeysDialog: loaded }) => loaded));
export const LessonsDialog = lazyComponent(() => import('./lessons-dialog').then(({ LessonsDialog: loaded }) => loaded));
export const LibraryView = lazyComponent(() => import('./library-view').then(({ LibraryView: loaded }) => loaded));
export const LineMenu = lazyComponent(() => import('./line-menu').then(({ LineMenu: loaded }) => loaded));
export const ListSteps = lazyComponent(() => import('./list-steps').then(({ ListSteps: loaded }) => loaded));
export const NewGameDialog = lazyComponent(() => import('./new-game-dialog').then(({ NewGameDialog: loaded }) => loaded));
export const PrintDialog = lazyComponent(() => import('./print-dialog').then(({ PrintDialog: loaded }) => loaded));
export const QuizDialog = lazyComponent(() => import('./quiz-dialog').then(({ QuizDialog: loaded }) => loaded));
export const ReviewPanel = lazyComponent(() => import('./review-panel').then(({ ReviewPanel: loaded }) => loaded));
export const SettingsDialog = lazyComponent(() => import('./settings-dialog').then(({ SettingsDialog: loaded }) => loaded));
export const SetupDialog = lazyComponent(() => import('./setup-dialog').then(({ SetupDialog: loaded }) => loaded));
export const ShareDialog = lazyComponent(() => import('./share-dialog').then(({ ShareDialog: loaded }) => loaded));
