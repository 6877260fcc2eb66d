import { expect, test, vi } from 'vitest';
import source from '../../site-public/service-worker.js?raw';

const SCOPE = 'https://host/alfil/';

/** A host that redirects `index.html` to the folder, as some hosts of static files do. */
function fetchFromHost({ url }: { url: string }): Promise<object> {
  const isRedirected = url === `${SCOPE}index.html`;
  return Promise.resolve({ ok: true, redirected: isRedirected, body: `file ${isRedirected ? SCOPE : url}` });
}

/** Installs the service worker and returns how it answers a request. */
async function install(files: string[]) {
  const kept = new Map<string, unknown>();
  const absolute = (address: string | { url: string }) =>
    new URL(typeof address === 'string' ? address : address.url, SCOPE).href;
  const cache = {
    addAll: async (requests: { url: string }[]) => {
      for (const request of requests) kept.set(request.url, await fetchFromHost(request));
    },
    match: (address: string | { url: string }) => Promise.resolve(kept.get(absolute(address))),
  };
  const listeners = new Map<string, (event: object) => void>();
  const worker = {
    registration: { scope: SCOPE },
    addEventListener: (name: string, listener: (event: object) => void) => listeners.set(name, listener),
  };
  class FakeRequest {
    readonly url: string;
    constructor(address: string) {
      this.url = absolute(address);
    }
  }
  const text = source.replace("'@FILES@'", files.map((file) => `'${file}'`).join());
  const network = vi.fn(() => Promise.reject(new Error('there is no network')));
  new Function('self', 'caches', 'Request', 'fetch', text)(worker, { open: () => Promise.resolve(cache) }, FakeRequest, network);
  const send = (name: string, fields: object) =>
    new Promise((resolve) => {
      const done = (answer: unknown) => resolve(answer);
      listeners.get(name)?.({ ...fields, waitUntil: done, respondWith: done });
    });
  await send('install', {});
  return (url: string, mode: string) => send('fetch', { request: { method: 'GET', url, mode } });
}

test('the page opens without a network although the host redirects index.html', async () => {
  const answer = await install(['index.html', 'assets/page.js']);
  for (const address of ['', '?source=app', 'index.html']) {
    expect(await answer(SCOPE + address, 'navigate')).toEqual({ ok: true, redirected: false, body: `file ${SCOPE}` });
  }
  expect(await answer(`${SCOPE}assets/page.js`, 'cors')).toMatchObject({ body: `file ${SCOPE}assets/page.js` });
});
