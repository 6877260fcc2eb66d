import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocus } from './focus-keeper';

let end: () => void;

beforeEach(() => void (end = keepFocus()));
afterEach(() => {
  end();
  document.body.innerHTML = '';
});

const element = (id: string) => document.getElementById(id) as HTMLButtonElement;
const pressKey = () => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));

/** Changes the page while elements have had the focus, the last one last. Returns what has it afterwards. */
async function focusAfter(ids: string[], change: () => void): Promise<string> {
  for (const id of ids) element(id).focus();
  pressKey();
  change();
  const active = document.activeElement as HTMLButtonElement;
  if (active.disabled) {
    // Browsers move the focus of a disabled element to the body. The DOM of the tests lets it not even be moved.
    active.disabled = false;
    active.blur();
    active.disabled = true;
  }
  // The first turn of the event loop sees the change, and the second comes after the focus has been moved.
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setTimeout(resolve));
  return document.activeElement?.id || 'body';
}

const show = (html: string) => void (document.body.innerHTML = html);

test('a disabled button passes the focus to no other action, and gets it back', async () => {
  show('<div><button id="next"></button><button id="delete"></button></div>');
  expect(await focusAfter(['next'], () => void (element('next').disabled = true))).toBe('body');
  expect(await focusAfter([], () => void (element('next').disabled = false))).toBe('next');
  // It does not take the focus from what the user has gone to.
  await focusAfter([], () => void (element('next').disabled = true));
  expect(await focusAfter(['delete'], () => void (element('next').disabled = false))).toBe('delete');
});

test('what is at the place of a removed element gets the focus', async () => {
  const list =
    '<button id="a"></button><p><button id="b"></button></p><p id="row"><i></i><button id="c"></button></p><button id="d"></button>';
  show(`<main><section>${list}</section><button id="after"></button></main>`);
  expect(await focusAfter(['a', 'c'], () => element('row').remove())).toBe('d');
  // The last one passes it to the one before.
  expect(await focusAfter(['d'], () => element('d').remove())).toBe('b');
  // Without any other in the section, the next one after it gets it.
  expect(await focusAfter(['b'], () => document.querySelector('section')?.replaceChildren())).toBe('after');
});

test('the place of an element is found if what was before it and around it is removed, too', async () => {
  show('<section><button id="a"></button><button id="b"></button><p id="row"><button id="c"></button></p><button id="d"></button></section>');
  const remove = () => {
    for (const id of ['b', 'c', 'row']) element(id).remove();
  };
  expect(await focusAfter(['c'], remove)).toBe('d');
});

test('a closed dialog returns the focus to where it was opened', async () => {
  show('<button id="a"></button><button id="open"></button><div><dialog id="dialog" open><button id="close"></button></dialog></div><button id="b"></button>');
  expect(await focusAfter(['open', 'close'], () => element('dialog').remove())).toBe('open');
});

test('a click needs no focus afterwards', async () => {
  show('<button id="a"></button><button id="b"></button>');
  element('a').focus();
  const remove = () => {
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    element('a').remove();
  };
  expect(await focusAfter([], remove)).toBe('body');
});

test('nothing is measured while the focus moves', () => {
  show(`<ol>${'<li><button></button></li>'.repeat(50)}</ol>`);
  const measured = vi.spyOn(Element.prototype, 'checkVisibility');
  for (const button of document.querySelectorAll('button')) button.focus();
  expect(measured).not.toHaveBeenCalled();
  measured.mockRestore();
});
