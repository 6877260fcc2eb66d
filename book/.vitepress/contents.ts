// The contents of the book: every page of docs/ stands here once. A test of the program checks that.

import type { DefaultTheme } from 'vitepress';

type Page = [text: string, link: string];

function section(text: string, pages: Page[]): DefaultTheme.SidebarItem {
  return { text, items: pages.map(([text, link]) => ({ text, link })) };
}

export const ENGLISH: DefaultTheme.SidebarItem[] = [
  section('Start', [
    ['Install', '/start/install'],
    ['The first game', '/start/first-game'],
    ['If something fails', '/start/troubleshooting'],
  ]),
  section('Play', [
    ['The page', '/play/the-page'],
    ['In the terminal', '/play/terminal'],
    ['Review a game', '/play/reviewing'],
    ['Rules of xiangqi', '/play/rules-of-xiangqi'],
    ['Who must change?', '/play/repetitions'],
    ['Rules of chess', '/play/rules-of-chess'],
    ['Rules of Othello', '/play/rules-of-othello'],
    ['Host the page', '/play/hosting'],
  ]),
  section('In a GUI', [
    ['Load the engine', '/gui/guis'],
    ['Protocols', '/gui/protocols'],
    ['Matches', '/gui/matches'],
  ]),
  section('Work with files', [
    ['Tutorial', '/files/tutorial'],
    ['Convert and search', '/files/converting-games'],
    ['Analyse many games', '/files/analysing-many-games'],
    ['On many machines', '/files/many-machines'],
  ]),
  section('Libraries', [
    ['Rust', '/libraries/rust'],
    ['Python', '/libraries/python'],
    ['C', '/libraries/c'],
    ['JavaScript', '/libraries/javascript'],
    ['The board element', '/libraries/the-board-element'],
    ['Coming from', '/libraries/coming-from'],
  ]),
  section('Reference', [
    ['Commands by example', '/reference/commands'],
    ['Options of commands', '/reference/command-options'],
    ['Options of the engine', '/reference/engine-options'],
    ['Exit statuses', '/reference/exit-statuses'],
    ['Levels', '/reference/levels'],
    ['File formats', '/reference/file-formats'],
    ['Xiangqi notation', '/reference/how-xiangqi-is-written'],
    ['Tables of an analysis', '/reference/analysis-tables'],
    ['Proof and speed', '/reference/speed'],
  ]),
  section('Inside', [
    ['How a repetition is judged', '/inside/how-a-repetition-is-judged'],
    ['How a game is reviewed', '/inside/review'],
    ['The mailbox of xiangqi', '/inside/the-mailbox'],
    ['Bitboards of xiangqi', '/inside/bitboards-plain-and-folded'],
    ['0x88 and bitboards of chess', '/inside/0x88-and-bitboards'],
    ['Othello: hashing and solving', '/inside/zobrist-and-solving'],
    ['Othello: patterns', '/inside/patterns-and-probcut'],
    ['Training', '/inside/training'],
    ['Strength log', '/inside/strength'],
    ['Perft counts', '/inside/counts'],
    ['A fourth game', '/inside/adding-a-game'],
    ['Tests and tools', '/inside/tests-and-tools'],
    ['Releasing', '/inside/releasing'],
    ['Glossary', '/inside/glossary'],
  ]),
];

export const CHINESE: DefaultTheme.SidebarItem[] = [
  section('开始', [
    ['安装', '/zh/start/install'],
    ['第一局棋', '/zh/start/first-game'],
    ['遇到问题', '/zh/start/troubleshooting'],
  ]),
  section('对弈', [
    ['网页', '/zh/play/the-page'],
    ['终端', '/zh/play/terminal'],
    ['复盘', '/zh/play/reviewing'],
    ['象棋规则', '/zh/play/rules-of-xiangqi'],
    ['谁应变着？', '/zh/play/repetitions'],
    ['国际象棋规则', '/zh/play/rules-of-chess'],
    ['黑白棋规则', '/zh/play/rules-of-othello'],
  ]),
];
