import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { libraryRow } from './fixtures.test-data';
import type { LibraryClient } from './library-client';
import { LibraryList, ROW_HEIGHT } from './library-list';
import type { LibraryPart, LibraryQuery } from './protocol';
import { useRoot } from './rendered-root.test-data';

let root: HTMLElement;
const query: LibraryQuery = { search: '', sort: 'changed', descending: true };
const selected = new Set<string>();
const none = () => {};

useRoot((element) => (root = element));

test('a part that cannot be loaded is requested again when the list is scrolled or connected anew, not for ever', async () => {
  const first: LibraryPart = { total: 1000, version: '1', rows: Array.from({ length: 100 }, (_, i) => libraryRow(`${i}`)) };
  // The first part can be loaded, and no other.
  const list = vi.fn((_query: LibraryQuery, offset: number) => Promise.resolve(offset === 0 ? first : undefined));
  const library = { list } as unknown as LibraryClient;
  const draw = (connected: boolean) =>
    act(async () => {
      render(
        <LibraryList
          {...{ library, query, connected, selected }}
          revision={0}
          thumbnails={undefined}
          games={[]}
          language="en"
          openId={undefined}
          onSelect={none}
          onSelectAll={none}
          onOpen={none}
          onDelete={none}
          onTotal={none}
        />,
        root,
      );
      await settle();
    });
  const settle = () => new Promise((resolve) => setTimeout(resolve, 100));
  const scrollTo = (index: number) =>
    act(async () => {
      const element = root.querySelector('.library-list') as HTMLElement;
      element.scrollTop = index * ROW_HEIGHT;
      element.dispatchEvent(new Event('scroll'));
      await settle();
    });
  const offsets = () => list.mock.calls.splice(0).map(([, offset]) => offset);
  await draw(true);
  expect(offsets()).toEqual([0]);
  await scrollTo(250);
  expect(offsets()).toEqual([200]);
  await scrollTo(251);
  expect(offsets()).toEqual([200]);
  await draw(false);
  await scrollTo(450);
  expect(offsets()).toEqual([]);
  // The first part is loaded again, because the library may have changed meanwhile.
  await draw(true);
  const again = offsets();
  expect(again).toContain(400);
  // A part that fails is not requested again at once, or the list of requests would have no end.
  expect(again.length).toBeLessThan(4);
});
