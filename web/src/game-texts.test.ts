import { expect, test } from 'vitest';
import { libraryRow } from './fixtures.test-support';
import { eventNameText, eventText, gameDate, gameLength, recordedPlayer, recordedResult, resultText } from './game-texts';
import { playersText } from './library-list';
import { libraryMessage } from './library-messages';
import type { GameDto, GameName } from './wire/types';
import { savedGameText } from './share-dialog';

const games = [
  { game: 'chess', length_unit: 'full_moves' },
  { game: 'othello', title: 'Othello', title_zh: '黑白棋', length_unit: 'plies' },
] as GameName[];
const recorded = (...tags: [string, string][]) => ({ tags }) as GameDto;

test('a date is shown as far as it is known, in the language of the page', () => {
  const dates = ['1997.05.11', '1997.05.??', '1997.??.??', '1997', '1997-5-1', '1997.?', '2003.12.15_12:33:18.MST'];
  const shown = (language: 'en' | 'zh', locale: string) => dates.map((date) => gameDate(date, language, locale));
  expect(shown('en', 'en-GB')).toEqual(['11 May 1997', 'May 1997', '1997', '1997', '1 May 1997', '1997', '15 Dec 2003']);
  expect(shown('en', 'en-US')[0]).toBe('May 11, 1997');
  expect(shown('zh', 'en-GB')).toEqual([
    '1997年5月11日', '1997年5月', '1997年', '1997年', '1997年5月1日', '1997年', '2003年12月15日',
  ]);
});

test('a text that is no date stays as it is', () => {
  for (const text of ['', 'spring 1997', '1997.13.01', '1997.02.30', '11.05.1997']) expect(gameDate(text, 'en')).toBe(text);
});

test('a result is the final score, where pieces are counted', () => {
  expect(['1/2-1/2', '1-0', ''].map((result) => resultText(result))).toEqual(['½–½', '1–0', '']);
  expect(resultText('1-0', [40, 24])).toBe('40–24');
  expect(recordedResult({ ...recorded(['Result', '0-1']), score: [20, 44] })).toBe('20–44');
  expect([recordedResult(recorded(['Result', '*'])), recordedResult(undefined)]).toEqual(['', '']);
});

test('the length of a game is counted in the unit of its players', () => {
  const length = (game: string, plies: number, language: 'en' | 'zh') => gameLength(games, game, plies, language);
  expect([length('chess', 59, 'en'), length('chess', 2, 'en'), length('chess', 60, 'zh')]).toEqual(['30 moves', '1 move', '30 回合']);
  expect([length('othello', 60, 'en'), length('othello', 1, 'en'), length('othello', 60, 'zh')]).toEqual(['60 moves', '1 move', '60 手']);
});

test('a saved game is listed with its players, its score and its length', () => {
  const saved = { game: 'othello', plies: 8, players: ['', ''] as [string, string], result: '', event: '' };
  expect(savedGameText(saved, { games, language: 'en' })).toBe('Othello · 8 moves');
  const named = { ...saved, plies: 60, players: ['#1', 'Bert'] as [string, string], result: '1-0', score: [40, 24] as [number, number] };
  expect(savedGameText(named, { games, language: 'zh' })).toBe('1 号棋手 – Bert · 40–24 · 黑白棋 · 60 手');
});

test('a damaged game is listed as such', () => {
  const saved = { game: 'othello', plies: 0, players: ['', ''] as [string, string], result: '', event: '', damaged: true };
  expect(savedGameText(saved, { games, language: 'en' })).toBe('damaged game · Othello');
  expect(savedGameText(saved, { games, language: 'zh' })).toBe('已损坏的对局 · 黑白棋');
  const row = { ...libraryRow('a'), players: ['', ''] as [string, string], damaged: true };
  const players = (language: 'en' | 'zh') => playersText(row, (key, ...values) => libraryMessage(language, key, ...values), language);
  expect([players('en'), players('zh')]).toEqual(['damaged game', '已损坏的对局']);
});

test('games of a base without names are named by the numbers of players and tournament', () => {
  const row = { ...libraryRow('a'), collection: 'c', players: ['#12', '#45'] as [string, string], person: null };
  const players = (language: 'en' | 'zh', names = row.players) =>
    playersText({ ...row, players: names }, (key, ...values) => libraryMessage(language, key, ...values), language);
  expect([players('en'), players('zh')]).toEqual(['Player 12 – Player 45', '12 号棋手 – 45 号棋手']);
  expect([players('en', ['', '']), players('zh', ['', ''])]).toEqual(['Game without names', '未署名的对局']);
  expect([eventNameText('#5', 'en'), eventNameText('#5', 'zh'), eventNameText('Cup #5', 'en')]).toEqual(['Tournament 5', '5 号赛事', 'Cup #5']);
  const game = recorded(['Date', '1997.??.??'], ['EventId', '5'], ['BlackId', '12'], ['WhiteId', '45'], ['White', 'Bert']);
  expect(eventText(game, 'en')).toBe('Tournament 5 · 1997');
  expect([recordedPlayer(game, 'Black', 'zh'), recordedPlayer(game, 'White', 'zh')]).toEqual(['12 号棋手', 'Bert']);
});
