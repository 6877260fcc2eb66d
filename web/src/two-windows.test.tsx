import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import { DetailsDialog } from './details-dialog';
import { FakeServer } from './fake-server.test-support';
import { gameDto, position, river } from './fixtures.test-support';
import { GameActions } from './game-actions';
import { GameClient } from './game-client';
import type { ClockDto } from './wire/types';
import { setUpRoot } from './rendered-root.test-support';
import { initialState } from './ui-state';

let root: HTMLElement;
setUpRoot((element) => (root = element));
afterEach(() => vi.unstubAllGlobals());

const button = (label: string) => [...root.querySelectorAll('button')].find((one) => one.textContent === label);
const press = (label: string) => act(async () => button(label)?.click());

function type(field: HTMLInputElement | HTMLTextAreaElement | null | undefined, text: string): Promise<void> {
  return act(() => {
    if (!field) throw new Error('the field is missing');
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

test('details that another window has changed meanwhile are kept, and shown where both have changed them', async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  const onSave = vi.fn(async () => true);
  const show = (tags: [string, string][]) =>
    act(() =>
      render(
        <DetailsDialog client={new GameClient()} state={initialState()} tags={tags} game={river} onSave={onSave} onClose={() => {}} />,
        root,
      ),
    );
  const field = (label: string) =>
    [...root.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label))?.querySelector('input');
  await show([['Event', 'a'], ['Site', 'b'], ['Annotator', 'c']]);
  await type(field('Event'), 'mine');
  // The year is unknown: the value is not shown, and it is kept.
  const theirs: [string, string][] = [['Site', 'their site'], ['Date', '????.05.11'], ['Annotator', 'their annotator']];
  await show([['Event', 'theirs'], ...theirs]);
  expect(root.textContent).toContain('Another window has written: “theirs”');
  await press('Save');
  expect(onSave).toHaveBeenCalledWith([['Event', 'mine'], ...theirs]);
});

test('an analysis that stops a running clock is confirmed first', async () => {
  const server = new FakeServer();
  const client = new GameClient();
  client.attach(null, () => {});
  await server.open();
  const clock = { base: 60_000, increment: 0, left: [60_000, 60_000], running: 0, flagged: null, drawn: false } as ClockDto;
  const show = (running: 0 | null) => {
    const state = { ...initialState(), appearance: river, game: gameDto(0), position: position({ clock: { ...clock, running } }) };
    return act(() => render(<GameActions client={client} state={state} />, root));
  };
  await show(0);
  await press('Analyse');
  expect(server.requests.some((request) => request.do === 'seat')).toBe(false);
  await press('Stop the clock?');
  expect(server.lastRequest('seat')).toMatchObject({ person: null });
  await show(null);
  server.requests = [];
  await press('Analyse');
  expect(server.lastRequest('seat')).toMatchObject({ person: null });
});

test('ratings of the players are shown and edited', async () => {
  HTMLDialogElement.prototype.showModal ??= () => {};
  const onSave = vi.fn(async () => true);
  const [first, second] = river.sides;
  const tags: [string, string][] = [[`${first}Elo`, '2400'], [`${second}Title`, 'GM']];
  const dialog = <DetailsDialog client={new GameClient()} state={initialState()} tags={tags} game={river} onSave={onSave} onClose={() => {}} />;
  await act(() => render(dialog, root));
  const field = (label: string) => [...root.querySelectorAll('label')].find((one) => one.textContent === label)?.querySelector('input');
  expect(field(`Rating of ${first}`)?.value).toBe('2400');
  await type(field(`Rating of ${second}`), '2500');
  await press('Save');
  expect(onSave).toHaveBeenCalledWith([[`${first}Elo`, '2400'], [`${second}Elo`, '2500'], [`${second}Title`, 'GM']]);
});
