import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../board/src/element';
import { ClockField } from './clock-field';
import { EvalBar } from './eval-bar';
import { FakeServer, flushPromises } from './fake-server.test-support';
import { gameDto, lineNodes, move, position, river, riverGames } from './fixtures.test-support';
import { GameClient } from './game-client';
import { MoveChooser } from './move-chooser';
import { MoveTree } from './move-tree';
// A part of the page that is loaded later.
import './comment-field';
import { MovesPanel } from './moves-panel';
import { NewGameDialog, type NewGameOptions } from './new-game-dialog';
import { Page } from './page';
import type { NodeDto } from './wire/types';
import { settleEffects, setUpRoot } from './rendered-root.test-support';
import { ScoreGraph } from './score-graph';
import { SettingsDialog } from './settings-dialog';
import { ShareDialog } from './share-dialog';
import { type UiState, initialState } from './ui-state';

let root: HTMLElement;
setUpRoot((element) => (root = element));

beforeEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '#');
});

afterEach(() => vi.unstubAllGlobals());

const buttons = (label: string) => [...root.querySelectorAll('button')].filter((one) => one.textContent === label);

test('the button for the ruling is shown only while the judge panel shows a ruling on this position', async () => {
  const server = new FakeServer();
  const rulesets = [{ name: 'old', title: 'Old', title_zh: '旧' }];
  const ended = position({ ending: { winner: 0, cause: 'mate', words: 'Black has no move', words_zh: '黑方无子可动' } });
  const opened = { look: river, game: gameDto(0, { rulesets, ruleset: 'old' }) };
  const ruling = { ruleset: 'old', explanation: ['Mate.'], instead: [], readings: [], plies: [] };
  const tree = lineNodes('a1a2', 'a4b4', 'a2a3');
  const at = (node: number) => ({ ...opened, tree, node, position: { ...ended, fen: `${node}` } });
  const changed = (node: number) => act(() => server.sendToPage({ event: 'changed', id: 0, ...at(node) }));
  const rulingButtons = () => buttons('Why? Show the ruling').length;
  await act(() => render(<Page />, root));
  await act(() => server.open());
  await act(() => server.respond('games', { games: riverGames, kept: [] }));
  await act(() => server.respond('new', at(1)));
  expect(rulingButtons()).toBe(0);
  await act(() => server.respond('rule', { error: 'not now' }));
  expect(rulingButtons()).toBe(0);
  await changed(2);
  await act(() => server.respond('rule', { ruling: ruling as never }));
  expect(rulingButtons()).toBe(1);
  buttons('Why? Show the ruling')[0]?.click();
  expect(document.activeElement).toBe(root.querySelector('.judge .reasons'));
  // The ruling on another position disappears.
  await changed(3);
  await act(() => server.respond('rule', { error: 'not now' }));
  expect([rulingButtons(), root.querySelector('.judge')]).toEqual([0, null]);
  // A ruling that arrives after its position was left is not shown.
  await changed(2);
  const { id } = server.lastRequest('rule');
  await act(() => server.sendToPage({ event: 'changed', id: 0, ...at(3), position: position({ fen: 'unruled' }) }));
  await act(() => server.sendToPage({ id, ruling: ruling as never }));
  expect(root.querySelector('.judge')).toBe(null);
});

test('another ruleset of the game has a ruling of its own, also at an earlier occurrence', async () => {
  const server = new FakeServer();
  const rulesets = ['old', 'new'].map((name) => ({ name, title: name, title_zh: name }));
  const repeated = position({ occurrences: 2 });
  const at = (node: number, ruleset: string) => ({
    look: river,
    game: gameDto(0, { rulesets, ruleset }),
    tree: lineNodes('a1a2', 'a4b4', 'a2a3'),
    node,
    position: { ...repeated, fen: `${node}` },
  });
  const plies = [1, 3].map((ply) => ({ ply, nature: 'check', victims: [] }));
  const ruling = (ruleset: string) => ({ ruleset, explanation: ['Drawn.'], instead: [], readings: [], plies });
  await act(() => render(<Page />, root));
  await act(() => server.open());
  await act(() => server.respond('games', { games: riverGames, kept: [] }));
  await act(() => server.respond('new', at(3, 'old')));
  await act(() => server.respond('rule', { ruling: ruling('old') as never }));
  // The table of all rulesets judges the same occurrence.
  const authorities = root.querySelector<HTMLDetailsElement>('details.authorities');
  if (authorities) authorities.open = true;
  await act(() => void authorities?.dispatchEvent(new Event('toggle')));
  const judged = () => server.requests.filter(({ do: name }) => /^rule/.test(String(name)));
  await vi.waitFor(() => expect(judged().map((request) => [request.do, request.occurrences])).toEqual([['rule', 2], ['rule_all', 2]]), 4000);
  // The ruling stays at an earlier move of the repetition.
  await act(() => server.sendToPage({ event: 'changed', id: 0, ...at(1, 'old') }));
  const before = server.requests.filter((request) => request.do === 'rule').length;
  await act(() => server.sendToPage({ event: 'changed', id: 0, ...at(1, 'new') }));
  const rulings = server.requests.filter((request) => request.do === 'rule').slice(before);
  expect(rulings.map((request) => request.ruleset)).toEqual(['new']);
  await act(() => server.respond('rule', { ruling: ruling('new') as never }));
  expect(root.querySelector<HTMLSelectElement>('.judge select')?.value).toBe('new');
});

test('a button says that a text was copied only if it was', async () => {
  new FakeServer();
  const execCommand = vi.fn(() => false);
  vi.stubGlobal('navigator', { language: 'en', clipboard: undefined });
  document.execCommand = execCommand;
  const state: UiState = { ...initialState(), position: position({ fen: 'a position' }) };
  await act(() => render(<ShareDialog client={new GameClient()} state={state} onOpenLibrary={() => {}} onClose={() => {}} />, root));
  const click = () =>
    act(async () => {
      (buttons('Copy')[0] ?? buttons('Copied')[0])?.click();
      await flushPromises();
    });
  await click();
  expect([execCommand.mock.calls.length, buttons('Copied').length]).toEqual([1, 0]);
  execCommand.mockReturnValue(true);
  await click();
  expect([execCommand.mock.calls.length, buttons('Copied').length]).toEqual([2, 1]);
  // After a failed copy the button has its former label.
  execCommand.mockReturnValue(false);
  await click();
  expect(buttons('Copied').length).toBe(0);
});

test('the graph shows the score of each move and of the start position', async () => {
  const score = { value: 40, mate: null };
  const tree = new MoveTree(lineNodes('a1a2'));
  const scored = tree.withScore(0, { score }).withScore(1, { score });
  const state: UiState = { ...initialState(), appearance: river, game: gameDto(null), tree: scored };
  await act(() => render(<ScoreGraph client={new GameClient()} state={state} />, root));
  const titles = () => [...root.querySelectorAll('title')].map((one) => one.textContent);
  expect(titles()).toEqual(['Start: +0.40', '1. a1a2!: +0.40']);
  await act(() => render(<ScoreGraph client={new GameClient()} state={{ ...state, tree }} />, root));
  expect(titles()).toEqual(['', '1. a1a2!']);
});

test('the evaluation bar shows the share of the first side, at its end of the board', async () => {
  const tree = new MoveTree(lineNodes('a1a2')).withScore(0, { score: { value: 40, mate: null } });
  const state: UiState = { ...initialState(), appearance: river, tree };
  await act(() => render(<EvalBar state={state} />, root));
  const bar = root.querySelector<HTMLElement>('.eval-bar');
  expect(bar?.getAttribute('aria-label')).toBe('Evaluation +0.40');
  expect(Number(bar?.style.getPropertyValue('--fraction'))).toBeCloseTo(0.54, 2);
  expect(bar?.querySelector('.number')?.textContent).toBe('+0.4');
  expect(bar?.classList.contains('flipped')).toBe(false);
  await act(() => render(<EvalBar state={{ ...state, flipped: true }} />, root));
  expect(root.querySelector('.eval-bar.flipped')).not.toBeNull();
  await act(() => render(<EvalBar state={{ ...state, node: 1 }} />, root));
  expect(root.querySelector<HTMLElement>('.eval-bar')?.hidden).toBe(true);
});

test('the time for a reply can be chosen only at the level that it changes', async () => {
  const initial = { game: 'river', userSide: 0 as const, twoPeople: false, level: 9, replySeconds: 1, timeControl: undefined };
  HTMLDialogElement.prototype.showModal = () => {};
  const none = () => {};
  await act(() => render(<NewGameDialog client={new GameClient()} games={riverGames} language="en" initial={initial} onStart={none} onClose={none} />, root));
  expect(root.querySelector('select[name=time]')).toBeNull();
  const level = root.querySelector<HTMLInputElement>('input[type=range]');
  await act(() => {
    if (level) level.value = '10';
    level?.dispatchEvent(new Event('input', { bubbles: true }));
  });
  expect(root.querySelector('select[name=time]')).not.toBeNull();
});

test('without a clock a new game has a time for a reply, also after a game whose clock decided', async () => {
  const initial = { game: 'river', userSide: 0 as const, twoPeople: false, level: 10, replySeconds: 0, timeControl: undefined };
  const started: NewGameOptions[] = [];
  HTMLDialogElement.prototype.showModal = () => {};
  const onStart = (options: NewGameOptions) => void started.push(options);
  await act(() => render(<NewGameDialog client={new GameClient()} games={riverGames} language="en" {...{ initial, onStart }} onClose={() => {}} />, root));
  await act(() => void root.querySelector('form')?.dispatchEvent(new Event('submit', { cancelable: true })));
  expect(started.map(({ replySeconds }) => replySeconds)).toEqual([1]);
});

test('a time control of fractions of a minute is one of whole milliseconds', async () => {
  const onClock = vi.fn();
  await act(() => render(<ClockField clock={{ base: 61_000, increment: 0 }} onClock={onClock} />, root));
  const [minutes] = root.querySelectorAll<HTMLInputElement>('input[type=number]');
  await act(() => {
    if (minutes) minutes.value = '0.12345';
    minutes?.dispatchEvent(new Event('change', { bubbles: true }));
  });
  expect(onClock).toHaveBeenCalledWith({ base: 7407, increment: 0 });
});

test('the settings show why a change was refused', async () => {
  HTMLDialogElement.prototype.showModal = () => {};
  const none = () => {};
  const state: UiState = { ...initialState(), error: 'The disk is full' };
  await act(() => render(<SettingsDialog client={new GameClient()} state={state} theme="auto" onTheme={none} onHelp={none} onClose={none} />, root));
  expect(root.querySelector('dialog .error-banner')?.textContent).toBe('The disk is full');
});

test('the list of moves stays where the user has scrolled it until another move is shown', async () => {
  class Observer {
    constructor(private readonly onResize: () => void) {}
    /** Browsers report the first size, too. */
    observe(): void {
      this.onResize();
    }
    disconnect(): void {}
  }
  vi.stubGlobal('ResizeObserver', Observer);
  const client = new GameClient();
  const tree = new MoveTree(lineNodes('a1a2', 'a4a3'));
  const state: UiState = { ...initialState(), appearance: river, game: gameDto(null), tree, node: 1, position: position({}) };
  const list = () => root.querySelector('.move-list') as HTMLElement;
  const show = async (changes: Partial<UiState>) => {
    await act(() => render(<MovesPanel client={client} state={{ ...state, ...changes }} onEditDetails={() => {}} onLessons={() => {}} />, root));
    return list().scrollTop;
  };
  await show({});
  list().scrollTop = 40;
  expect(await show({ tree: tree.withScore(1, { score: { value: 40, mate: null } }) })).toBe(40);
  expect(await show({ node: 2 })).toBe(0);
});

test('what is typed as a comment stays until it is saved, whatever arrives meanwhile', async () => {
  const server = new FakeServer();
  const client = new GameClient();
  client.attach(null, () => {});
  await server.open();
  const tree = new MoveTree(lineNodes('a1a2'));
  const state: UiState = { ...initialState(), appearance: river, game: gameDto(null), tree, node: 1, position: position({}) };
  client.hasOpenGame = true;
  const show = (shown: UiState) =>
    act(async () => {
      client.update({ ...shown, connected: true });
      render(<MovesPanel client={client} state={client.state} onEditDetails={() => {}} onLessons={() => {}} />, root);
      await settleEffects();
    });
  await show(state);
  const field = () => root.querySelector<HTMLTextAreaElement>('.comment') as HTMLTextAreaElement;
  const type = (text: string) =>
    act(() => {
      field().value = text;
      field().dispatchEvent(new Event('input', { bubbles: true }));
    });
  for (const text of ['T', 'Th', 'The']) {
    await type(text);
    await show({ ...state, tree: tree.withScore(1, { score: { value: text.length, mate: null } }) });
    expect(field().value).toBe(text);
  }
  // A comment that was not saved stays in the field, too.
  server.requests = [];
  field().dispatchEvent(new Event('change', { bubbles: true }));
  expect(server.lastRequest('comment')).toMatchObject({ node: 1, text: 'The' });
  await act(() => server.respond('comment', { error: 'no' }));
  expect(field().value).toBe('The');
  field().dispatchEvent(new Event('change', { bubbles: true }));
  const [start, move] = lineNodes('a1a2');
  const saved = [start, { ...move, comment: 'The best' }] as NodeDto[];
  await act(() => server.respond('comment', { tree: saved }));
  await show({ ...state, tree: new MoveTree(saved) });
  expect(field().value).toBe('The best');
});

test('a click beside the moves to choose from chooses none of them', async () => {
  const onChoose = vi.fn();
  const targets = [move('a2', 'a3', 'W'), { ...move('a2', 'a3', 'W'), text: 'other' }];
  await act(() => render(<MoveChooser appearance={river} targets={targets} pictures={false} onChoose={onChoose} />, root));
  root.querySelector('button')?.click();
  root.querySelector('dialog')?.click();
  expect(onChoose.mock.calls.map(([target]) => target)).toEqual([targets[0], undefined]);
});
