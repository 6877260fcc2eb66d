import { afterEach, expect, test, vi } from 'vitest';
import type { BoardTarget } from '../board/src/types';
import { flushPromises, openWithFakeServer } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river } from './fixtures.test-support';

afterEach(() => vi.unstubAllGlobals());

const promotion = (choice: string) => ({ ...move('a3', 'a4', 'W'), text: `a3a4${choice}`, choice });
// The order of the texts is another one than that of the pieces in the appearance.
const promotions = [promotion('S'), promotion('W')];

/** Opens a game in which the computer searches its reply. */
const openPage = () =>
  openWithFakeServer({ game: gameDto(0), look: river, tree: lineNodes('a2a3'), node: 1, position: position({ fen: 'one', side: 1 }) });
const reply = {
  step: { text: 'c4c3', script: [], sound: 'move' as const },
  tree: lineNodes('a2a3', 'c4c3'),
  node: 2,
  position: position({ fen: 'two', targets: promotions }),
};

test.each<[string, BoardTarget[]]>([
  ['is offered', promotions],
  ['is not offered before the reply', [{ ...promotion('S'), choice: null }]],
])('a premove whose promotion %s promotes to the first piece that the appearance lists', async (_when, targets) => {
  const { server, client } = await openPage();
  expect(client.premoves.isOpen).toBe(true);
  client.premoves.set(targets);
  await flushPromises();
  await server.reply(reply);
  expect(server.lastRequest('play')).toMatchObject({ text: 'a3a4W' });
});
