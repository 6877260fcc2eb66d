import { expect, test } from 'vitest';
import './player';

test('the element can be created by a script, and gets its attributes in the document only', () => {
  const player = document.createElement('alfil-player');
  // A browser throws a NotSupportedError if the constructor has set an attribute.
  expect(player.getAttributeNames()).toEqual([]);
  document.body.append(player);
  expect(player.tabIndex).toBe(0);
  player.remove();
});

test('an index for the Tab key that the page has given stays', () => {
  document.body.innerHTML = '<alfil-player tabindex="-1"></alfil-player>';
  expect(document.querySelector('alfil-player')?.getAttribute('tabindex')).toBe('-1');
});
