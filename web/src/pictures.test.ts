import { beforeEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import { type FakeServer, flushPromises, startWithFakeServer } from './fake-server.test-support';
import { checkers, gameDto, lineNodes, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import { loadPictures, savePreference } from './preferences';
import type { AppearanceDto } from './wire/types';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers();
  server = startWithFakeServer();
});

test('each game keeps its own choice of pieces', async () => {
  const client = new GameClient();
  const board = document.createElement('alfil-board');
  const shown = async (appearance: AppearanceDto) => {
    const start = position({ pieces: {}, targets: [] });
    await server.respond('new', { game: gameDto(0), look: appearance, tree: lineNodes(), node: 0, position: start });
    return [client.state.pictures, board.pictures];
  };
  client.attach(board, () => {});
  await server.open();
  // The server has no saved games.
  await server.respond('games', { games: riverGames, kept: [] });
  expect(await shown(river)).toEqual([false, false]);
  client.display.setPictures(true);
  expect(board.pictures).toBe(true);
  void client.startGame('checkers', 0, 9);
  await flushPromises();
  expect(await shown(checkers)).toEqual([false, false]);
  void client.startGame('river', 0, 9);
  await flushPromises();
  expect(await shown(river)).toEqual([true, true]);
});

test('the choice of former versions, which was for all games, counts where pieces have pictures', () => {
  savePreference('pictures', 'yes');
  const withPicture = { W: { side: 0 as const, name: 'White wader', name_zh: '', outline: '', picture: 'M0 0H9Z' } };
  expect([loadPictures(checkers), loadPictures({ ...checkers, pieces: withPicture })]).toEqual([false, true]);
  savePreference('pictures.checkers', 'no');
  expect(loadPictures({ ...checkers, pieces: withPicture })).toBe(false);
});
