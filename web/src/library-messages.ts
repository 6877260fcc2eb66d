import { useContext } from 'preact/hooks';
import { LanguageContext } from './language';
import type { Language } from './messages';

/** The messages of the library, which is loaded when it is opened. */
const ENGLISH = {
  library: 'Library',
  allGames: 'All games',
  singleGames: 'Your games',
  deletedGames: 'Deleted games',
  collections: 'Collections',
  collection: 'Collection',
  importFile: 'Import a file',
  searchGames: 'Search',
  searchPlaceholder: 'Player, event or opening',
  searchIn: 'Search in',
  everywhere: 'Everywhere',
  players: 'Players',
  event: 'Event',
  opening: 'Opening',
  anyGame: 'All kinds of games',
  anyResult: 'Any result',
  result: 'Result',
  withPosition: 'With the position on the board',
  sortBy: 'Sort by',
  sortChanged: 'Last change',
  sortDate: 'Date of the game',
  sortLength: 'Length',
  ascending: 'Ascending: show the other end first',
  descending: 'Descending: show the other end first',
  gameCount: '{0} games',
  oneGame: 'One game',
  noGames: 'No game matches. Remove a filter, choose All games, or search for other words.',
  noDeletedGames: 'There are no deleted games.',
  emptyLibrary: 'There are no games here yet. Import a file of games, or play one: it is kept here.',
  selectAll: 'Select all',
  clearSelection: 'Clear the selection',
  selectedCount: '{0} selected',
  open: 'Open',
  edit: 'Edit names and event',
  exportGames: 'Save as PGN',
  exportAll: 'Save all as PGN',
  exporting: 'Saving {0} of {1} games …',
  deleteGames: 'Delete',
  restoreGames: 'Restore',
  removeGames: 'Delete for ever',
  confirmRemoval: 'This cannot be undone.',
  removeNow: 'Yes, delete for ever',
  renameCollection: 'Rename',
  deleteCollection: 'Delete this collection',
  collectionName: 'Name of the collection',
  unknownPlayer: '?',
  you: 'You',
  computer: 'Computer, level {0}',
  analysis: 'Analysis',
  namelessGame: 'Game without names',
  twoPeople: 'Two people',
  importing: 'Importing {0}: {1} games, {2} %',
  importingGames: 'Importing {0}: the file is read, {1} games are saved',
  cancelImport: 'Cancel',
  imported: '{0} games imported.',
  importedOne: 'One game imported.',
  importedCut: '{0} of them end before a move that cannot be read.',
  importedCutOne: 'One of them ends before a move that cannot be read.',
  importedBad: '{0} games could not be read.',
  importedBadOne: 'One game could not be read.',
  importedAgain: 'The same games are already in “{0}”. The new collection is called “{1}”; delete it if you do not need it.',
  importRenamed: 'There is already a collection with the name of the file. The new one is called “{0}”.',
  importRemarks: 'Remarks on games: {0}',
  importPlace: '({0})',
  moreRemarks: 'and {0} more',
  listHelp: 'Enter opens a game, Space selects it, Delete deletes the selected games.',
  deletedListHelp: 'Enter selects one game, Space adds or removes one.',
};

/** The name of a message of the library. */
export type LibraryMessageKey = keyof typeof ENGLISH;

const CHINESE: Record<LibraryMessageKey, string> = {
  library: '棋谱库',
  allGames: '全部对局',
  singleGames: '我的对局',
  deletedGames: '已删除的对局',
  collections: '棋谱集',
  collection: '棋谱集',
  importFile: '导入文件',
  searchGames: '搜索',
  searchPlaceholder: '棋手、赛事或开局',
  searchIn: '搜索范围',
  everywhere: '全部',
  players: '棋手',
  event: '赛事',
  opening: '开局',
  anyGame: '所有棋种',
  anyResult: '任何结果',
  result: '结果',
  withPosition: '含棋盘上的局面',
  sortBy: '排序',
  sortChanged: '最近更改',
  sortDate: '对局日期',
  sortLength: '着数',
  ascending: '升序：改为降序',
  descending: '降序：改为升序',
  gameCount: '{0} 局',
  oneGame: '1 局',
  noGames: '没有符合条件的对局。请去掉一个条件，选“全部对局”，或换别的词。',
  noDeletedGames: '没有已删除的对局。',
  emptyLibrary: '这里还没有对局。可导入棋谱文件；下过的对局也会保存在这里。',
  selectAll: '全选',
  clearSelection: '取消选择',
  selectedCount: '已选 {0} 局',
  open: '打开',
  edit: '编辑姓名和赛事',
  exportGames: '另存为 PGN',
  exportAll: '全部另存为 PGN',
  exporting: '正在保存：第 {0} 局，共 {1} 局……',
  deleteGames: '删除',
  restoreGames: '恢复',
  removeGames: '永久删除',
  confirmRemoval: '此后不能恢复。',
  removeNow: '确定永久删除',
  renameCollection: '改名',
  deleteCollection: '删除此棋谱集',
  collectionName: '棋谱集名称',
  unknownPlayer: '佚名',
  you: '您',
  computer: '电脑，第 {0} 级',
  analysis: '分析',
  namelessGame: '未署名的对局',
  twoPeople: '双人对弈',
  importing: '正在导入 {0}：{1} 局，{2} %',
  importingGames: '正在导入 {0}：文件已读完，已存 {1} 局',
  cancelImport: '取消导入',
  imported: '已导入 {0} 局。',
  importedOne: '已导入 1 局。',
  importedCut: '其中 {0} 局在无法读取的着法之前结束。',
  importedCutOne: '其中 1 局在无法读取的着法之前结束。',
  importedBad: '{0} 局无法读取。',
  importedBadOne: '1 局无法读取。',
  importedAgain: '“{0}”中已有同样的对局。新棋谱集名为“{1}”，如不需要可以删除。',
  importRenamed: '已有与文件同名的棋谱集，新棋谱集名为“{0}”。',
  importRemarks: '关于 {0} 局的说明',
  importPlace: '（位置：{0}）',
  moreRemarks: '另有 {0} 条',
  listHelp: '回车键打开对局，空格键选择，Delete 键删除所选对局。',
  deletedListHelp: '回车单选对局，空格增选或取消。',
};

export const LIBRARY_MESSAGES: Record<Language, Record<LibraryMessageKey, string>> = { en: ENGLISH, zh: CHINESE };

/** Formats a message of the library. */
export type LibraryMessage = (key: LibraryMessageKey, ...values: (string | number)[]) => string;

/** Returns a message of the library in a language. The values replace `{0}`, `{1}` and so on. */
export function libraryMessage(language: Language, key: LibraryMessageKey, ...values: (string | number)[]): string {
  const text = LIBRARY_MESSAGES[language][key];
  return text.replace(/\{(\d)\}/g, (_, index: string) => {
    const value = values[Number(index)] ?? '';
    return typeof value === 'number' ? value.toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB') : value;
  });
}

/** Returns a function that formats the messages of the library in the language of the page. */
export function useLibraryMessage(): LibraryMessage {
  const language = useContext(LanguageContext);
  return (key, ...values) => libraryMessage(language, key, ...values);
}
