import { afterEach, expect, test, vi } from 'vitest';
import { flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-support';
import type { ReviewDto } from './wire/types';

afterEach(() => vi.unstubAllGlobals());

const opened = { game: gameDto(null), look: river, tree: lineNodes('a1a2'), node: 0, position: position({ targets: [move('a1', 'a2', 'W')] }) };
const mistake = { node: 1, side: 0, mark: 'blunder', best: 'a1b1' };
const review = { moves: [mistake], sides: [], turning_points: [] } as unknown as ReviewDto;

/** Opens the page with an analysis. */
const openPage = () => openWithFakeServer(opened);

test('an engine that was switched off stays off in the games that are opened', async () => {
  const { server, client } = await openPage();
  expect(client.state.engineOn).toBe(true);
  for (const isOn of [false, true]) {
    client.setEngine(isOn);
    void client.openGame('b');
    await flushPromises();
    await server.respond('open', opened);
    expect(client.state.engineOn).toBe(isOn);
  }
});

test('an engine that the page has switched off by itself is on again in the games that are opened', async () => {
  const { server, client } = await openPage();
  void client.watch.start('river', [1, 2]);
  await flushPromises();
  expect(server.lastRequest('new')).toMatchObject({ person: null, levels: [1, 2] });
  await server.respond('new', { ...opened, game: gameDto(null, { levels: [1, 2] }) });
  expect(client.state.engineOn).toBe(false);
  void client.openGame('b');
  await flushPromises();
  await server.respond('open', { ...opened, game: gameDto(null, { id: 'b' }) });
  expect(client.state.engineOn).toBe(true);
});

test('the number of lines that is chosen while the engine is off for a moment does not switch it off later', async () => {
  const { server, client } = await openPage();
  client.update({ review });
  void client.reviews.retry([1]);
  client.runEngine(client.state.engineOn, 2);
  void client.openGame('b');
  await flushPromises();
  await server.respond('open', opened);
  expect([client.state.engineOn, client.state.lineCount]).toEqual([true, 2]);
});

test('the retrying of mistakes goes on in another notation', async () => {
  const { server, client } = await openPage();
  client.update({ review });
  void client.reviews.retry([1]);
  await flushPromises();
  void client.sendDialect('san');
  await flushPromises();
  await server.respond('dialect', opened);
  expect([client.state.engineOn, client.state.retry?.stage]).toEqual([false, 'open']);
  // A move that is tried ends the search for a hint.
  client.update({ searchesHint: true });
  void client.reviews.tryMove(move('a1', 'b1', 'W'));
  expect(client.state.searchesHint).toBe(false);
});

test.each(['another window', 'a refused text'])('the engine is on again after %s has ended the retrying of mistakes', async (cause) => {
  const { server, client } = await openPage();
  client.update({ review });
  void client.reviews.retry([1]);
  await flushPromises();
  expect([client.state.engineOn, client.state.retry?.stage]).toEqual([false, 'open']);
  if (cause === 'another window') {
    await server.sendToPage({ event: 'changed', id: 0, ...opened });
  } else {
    void client.importGame('nonsense');
    await flushPromises();
    await server.respond('import', { error: 'no move' });
  }
  expect([client.state.engineOn, client.state.retry]).toEqual([true, undefined]);
  server.lastRequest('analyse');
});

test('a mistake is not retried any more when the user plays on, and the engine is off', async () => {
  const { server, client } = await openPage();
  client.update({ review });
  void client.reviews.retry([1]);
  void client.setUserSide(0);
  await flushPromises();
  await server.respond('seat', { ...opened, game: gameDto(0) });
  expect([client.state.engineOn, client.state.retry]).toEqual([false, undefined]);
});

test('a review is shown until another game is opened, also after a refused text', async () => {
  const { server, client } = await openPage();
  client.update({ review });
  void client.importGame('nonsense');
  await flushPromises();
  await server.respond('import', { error: 'no move' });
  expect(client.state.review).toEqual(review);
  void client.importGame('a1a2');
  await flushPromises();
  await server.respond('import', { ...opened, game: gameDto(null, { id: 'b' }) });
  expect(client.state.review).toBeUndefined();
});
