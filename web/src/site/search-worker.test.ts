import { afterEach, expect, test, vi } from 'vitest';
import type { ToSearchWorker } from './worker-messages';

const calls: string[] = [];

vi.mock('../../../apps/wasm/js/instance', () => ({
  Instance: class {
    private engines = 0;
    init(): Promise<void> {
      return Promise.resolve();
    }
    call(name: string, { game }: { game?: string }): unknown {
      calls.push(game ? `${name} ${game}` : name);
      return name === 'engine.new' ? ++this.engines : null;
    }
  },
}));

afterEach(() => vi.unstubAllGlobals());

test('the networks of the games are kept, and one that came late is used', async () => {
  vi.stubGlobal('postMessage', vi.fn());
  await import('./search-worker');
  const send = (data: ToSearchWorker) => self.onmessage?.({ data } as MessageEvent) as unknown as Promise<void>;
  const search = async (game: string, network?: Uint8Array) => {
    await send({ kind: 'search', number: 1, game, rules: null, search: '{}', network });
    return calls.splice(0);
  };
  await send({ kind: 'start', module: {} as WebAssembly.Module, flag: undefined });
  const made = (game: string) => [`engine.new ${game}`, 'engine.setNetwork', 'engine.pageSearch'];
  expect(await search('othello')).toEqual(['engine.new othello', 'engine.pageSearch']);
  expect(await search('othello', new Uint8Array(1))).toEqual(['module.dispose', ...made('othello')]);
  expect(await search('othello')).toEqual(['engine.pageSearch']);
  expect(await search('chess')).toEqual(['module.dispose', 'engine.new chess', 'engine.pageSearch']);
  expect(await search('othello')).toEqual(['module.dispose', ...made('othello')]);
});
