import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { libraryRow } from './fixtures.test-support';
import type { LibraryClient } from './library-client';
import { LibraryList, ROW_HEIGHT } from './library-list';
import type { LibraryPart, LibraryQuery } from './wire/types';
import { settleEffects, setUpRoot } from './rendered-root.test-support';

let root: HTMLElement;
let query: LibraryQuery = { search: '', sort: 'changed', descending: true };
const none = () => {};

setUpRoot((element) => (root = element));

/** Shows a list, and waits until its first part is there. */
const draw = (library: LibraryClient, connected = true, selected: ReadonlySet<string> = new Set(), onSelect: (ids: Set<string>) => void = none) =>
  act(async () => {
    render(
      <LibraryList
        {...{ library, query, connected, selected, onSelect }}
        revision={0}
        games={[]}
        language="en"
        openId={undefined}
        onSelectAll={none}
        onOpen={none}
        onDelete={none}
        onTotal={none}
      />,
      root,
    );
    await settleEffects();
  });

const scrollTo = (index: number) =>
  act(async () => {
    const element = root.querySelector('.library-list') as HTMLElement;
    element.scrollTop = index * ROW_HEIGHT;
    element.dispatchEvent(new Event('scroll'));
    await settleEffects();
  });

const click = async (index: number, keys: MouseEventInit) => {
  await settleEffects();
  root.querySelector(`#game-${index}`)?.dispatchEvent(new MouseEvent('click', { bubbles: true, ...keys }));
  await settleEffects();
};

/** A part of a list of a thousand games. */
const part = (offset: number): LibraryPart => ({
  total: 1000,
  version: '1',
  rows: Array.from({ length: 100 }, (_, i) => libraryRow(`${offset + i}`)),
});

test('a range is selected with the games in it that were never in sight', async () => {
  const ids = vi.fn(() => Promise.resolve(Array.from({ length: 1000 }, (_, i) => `${i}`)));
  const library = { list: (_query: LibraryQuery, offset: number) => Promise.resolve(part(offset)), ids } as unknown as LibraryClient;
  const chosen: ReadonlySet<string>[] = [];
  const show = () => draw(library, true, chosen.at(-1), (selected) => void chosen.push(selected));
  await show();
  await click(2, { ctrlKey: true });
  await show();
  await click(4, { shiftKey: true });
  expect([[...(chosen.at(-1) ?? [])], ids.mock.calls.length]).toEqual([['2', '3', '4'], 0]);
  await show();
  await scrollTo(450);
  await click(450, { shiftKey: true });
  expect([chosen.at(-1)?.size, chosen.at(-1)?.has('250')]).toEqual([449, true]);
});

test('a range begins where the user clicked last, also without a key, and not in a former list', async () => {
  const library = { list: (_query: LibraryQuery, offset: number) => Promise.resolve(part(offset)) } as unknown as LibraryClient;
  const chosen: string[][] = [];
  const show = () => draw(library, true, new Set(), (selected) => void chosen.push([...selected]));
  await show();
  await click(3, {});
  await click(5, { shiftKey: true });
  expect(chosen.at(-1)).toEqual(['3', '4', '5']);
  query = { ...query, search: 'another' };
  await show();
  await click(1, { shiftKey: true });
  expect(chosen.at(-1)).toEqual(['0', '1']);
});

test('a part that cannot be loaded is requested again when the list is scrolled or connected anew, not for ever', async () => {
  // The first part can be loaded, and no other.
  const list = vi.fn((_query: LibraryQuery, offset: number) => Promise.resolve(offset === 0 ? part(0) : undefined));
  const library = { list } as unknown as LibraryClient;
  const offsets = () => list.mock.calls.splice(0).map(([, offset]) => offset);
  await draw(library);
  expect(offsets()).toEqual([0]);
  await scrollTo(250);
  expect(offsets()).toEqual([200]);
  await scrollTo(251);
  expect(offsets()).toEqual([200]);
  await draw(library, false);
  await scrollTo(450);
  expect(offsets()).toEqual([]);
  // The first part is loaded again, because the library may have changed meanwhile.
  await draw(library);
  const again = offsets();
  expect(again).toContain(400);
  // A part that fails is not requested again at once, or the list of requests would have no end.
  expect(again.length).toBeLessThan(4);
});
