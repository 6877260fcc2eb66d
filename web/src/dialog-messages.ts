/** The messages of dialogs that are loaded when they are opened: to set up a position, and the settings. */

import { useContext } from 'preact/hooks';
import { LanguageContext } from './language';
import type { Language } from './messages';

const ENGLISH = {
  palette: 'Pieces to place',
  removePieces: 'Remove pieces',
  clearBoard: 'Clear',
  sideToMoveField: 'To move',
  positionText: 'Position text',
  validPosition: 'The position is valid.',
  allowPosition: 'Allow this position anyway',
  playFromHere: 'Play from here',
  analyseFromHere: 'Analyse',
  piecesDefault: 'default',
  piecesAlternative: 'alternative',
  themeSystem: 'system',
  themeLight: 'light',
  themeDark: 'dark',
  notation: 'Notation',
  pieces: 'Pieces',
  theme: 'Light or dark',
  sound: 'Sound',
  on: 'on',
  off: 'off',
  showsMoves: 'Show moves under the pointer',
  turnsBoard: 'Turn the board to the side to move',
};

export type DialogMessageKey = keyof typeof ENGLISH;

const CHINESE: Record<DialogMessageKey, string> = {
  palette: '可摆的棋子',
  removePieces: '移除棋子',
  clearBoard: '清空',
  sideToMoveField: '轮走方',
  positionText: '局面文本',
  validPosition: '此局面没有问题。',
  allowPosition: '仍然允许此局面',
  playFromHere: '由此对局',
  analyseFromHere: '分析',
  piecesDefault: '常用',
  piecesAlternative: '另一种',
  themeSystem: '跟随系统',
  themeLight: '浅色',
  themeDark: '深色',
  notation: '记谱法',
  pieces: '棋子',
  theme: '浅色或深色',
  sound: '声音',
  on: '开',
  off: '关',
  showsMoves: '指向棋子时显示走法',
  turnsBoard: '棋盘转向走棋的一方',
};

export const DIALOG_MESSAGES: Record<Language, Record<DialogMessageKey, string>> = { en: ENGLISH, zh: CHINESE };

/** Returns a function that gives a message in the language of the page. */
export function useDialogMessage(): (key: DialogMessageKey) => string {
  const language = useContext(LanguageContext);
  return (key) => DIALOG_MESSAGES[language][key];
}
