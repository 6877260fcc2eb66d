import { afterEach, expect, test, vi } from 'vitest';
import { flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-support';

let hidden = false;

afterEach(() => {
  hidden = false;
  Reflect.deleteProperty(document, 'hidden');
  vi.unstubAllGlobals();
});

/** Hides the tab of the page. */
async function hide(): Promise<void> {
  hidden = true;
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event('visibilitychange'));
  await flushPromises();
}

const opened = { game: gameDto(null), look: river, tree: lineNodes(), node: 0, position: position({ targets: [move('a1', 'a2', 'W')] }) };

/** Opens the page with an analysis that runs. */
async function analyse() {
  const { server, client } = await openWithFakeServer(opened);
  expect([server.lastRequest('analyse').lines, client.state.analysing]).toEqual([3, true]);
  return { server, client, id: server.lastRequest('analyse').id };
}

test.each(['before', 'after'])("the computer's reply is searched to its end in a hidden tab, which was hidden %s the analysis had ended", async (order) => {
  const { server, client, id } = await analyse();
  void client.setUserSide(1);
  await flushPromises();
  const seat = server.lastRequest('seat');
  if (order === 'after') await server.sendToPage({ id });
  await server.sendToPage({ id: seat.id, ...opened, game: gameDto(1) });
  await hide();
  if (order === 'before') await server.sendToPage({ id });
  expect([server.requests.some((request) => request.do === 'stop'), client.state.turn.replying, client.state.analysing]).toEqual([false, true, false]);
});

test('the end of an analysis that another one has replaced does not end the other one', async () => {
  const { server, client, id } = await analyse();
  client.searchLonger();
  await flushPromises();
  await server.sendToPage({ id });
  expect(client.state.analysing).toBe(true);
  await server.respond('analyse', {});
  expect(client.state.analysing).toBe(false);
});

test('a longer search goes on as a longer one when the tab is seen again', async () => {
  const { server, client } = await analyse();
  client.searchLonger();
  await flushPromises();
  const { seconds } = server.lastRequest('analyse');
  await hide();
  await server.respond('stop', {});
  const count = server.requests.length;
  hidden = false;
  document.dispatchEvent(new Event('visibilitychange'));
  await flushPromises();
  expect(server.requests.slice(count).map((request) => [request.do, request.seconds])).toEqual([['analyse', seconds]]);
  expect(seconds).toBeGreaterThan(0);
});

test('what the page requests by itself leaves an error in its place', async () => {
  const { client, server } = await analyse();
  client.showError('this is no game');
  client.setXray(true);
  await flushPromises();
  await server.respond('tactical_marks', { tactical_marks: [] });
  await hide();
  await server.respond('stop', {});
  expect(client.state.error).toBe('this is no game');
});
