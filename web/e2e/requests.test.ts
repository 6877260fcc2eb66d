import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { type Message, connect, pageWorker, request } from './page-transport';
import { DESKTOP, siteFolder, useTestEnvironment } from './test-environment';

// The requests of a page get the answers of `alfil-page`, from the server with its database as from the worker with
// that of the browser. The tests of that crate and of the server compare the same answers.

const { available, newContext, url } = useTestEnvironment();

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const STEPS = JSON.parse(
  readFileSync(new URL('../../crates/page/testdata/requests.json', import.meta.url), 'utf8'),
) as { request: { [name: string]: Json }; answer: Json }[];

/** Replaces texts, in the order of the names of fields. */
function changeTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => changeTexts(one, change));
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, one]) => [name, changeTexts(one, change)]));
}

/**
 * Removes what differs from one run to the next, and the appearances of the games. Of the targets of moves their number
 * is left.
 */
function withoutTimes(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (value === null || typeof value !== 'object') return value;
  const left = Object.entries(value).filter(
    ([name, one]) =>
      name !== 'version' && (typeof one === 'string' || !['id', 'look', 'changed'].includes(name)) &&
      (value.done !== false || name === 'done'),
  );
  const isCounted = (name: string, one: Json): one is Json[] => ['targets', 'premoves'].includes(name) && Array.isArray(one);
  return Object.fromEntries(left.map(([name, one]) => [name, isCounted(name, one) ? one.length : withoutTimes(one)]));
}

describe.skipIf(!available)('the requests of a page', () => {
  let page: Page | undefined;
  beforeAll(async () => {
    // The policy of that page allows no connection.
    page = await (await newContext({ ...DESKTOP, bypassCSP: true })).newPage();
    // A page of this address that sends no requests of its own.
    await page.goto(new URL('no-page', url()).href);
    await connect(page, siteFolder && pageWorker(siteFolder));
  });
  afterAll(() => page?.context().close());

  test('get the same answers wherever its games are', async () => {
    if (!page) throw new Error('there is no page');
    const ids: string[] = [];
    const numberOf = (text: string) => {
      if (!/^[0-9a-f]{12}$/.test(text)) return text;
      if (!ids.includes(text)) ids.push(text);
      return `id ${ids.indexOf(text) + 1}`;
    };
    const answerTo = async (body: object) => (await request(page as Page, body)).at(-1) as Message;
    for (const { request: body, answer: expected } of STEPS) {
      const sent = changeTexts(body, (text) => (/^id \d+$/.test(text) && ids[Number(text.slice(3)) - 1]) || text);
      let answer = await answerTo(sent as object);
      const isRunning = () => (answer as { library?: { import?: { done: boolean } } }).library?.import?.done === false;
      while (body.action === 'import_end' && isRunning()) answer = await answerTo(sent as object);
      // Messages quote ids.
      const numbered = changeTexts(withoutTimes(answer as Json), (text) =>
        text.split('"').map(numberOf).join('"'),
      );
      expect({ request: body, answer: numbered }).toEqual({ request: body, answer: expected });
    }
  });
});
