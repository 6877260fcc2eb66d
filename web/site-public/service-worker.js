// The service worker of the page without a server: it keeps all files of one version, so that the page needs no network
// after the first visit. A new version is fetched beside the old one and waits until the user wants it. The build
// replaces the two values.

const VERSION = '@VERSION@';
const FILES = ['@FILES@'];

// Several copies of the page may be in different folders of one host.
const PREFIX = `alfil ${self.registration.scope} `;
const CACHE = PREFIX + VERSION;

// The page is kept under the address of its folder. Some hosts redirect `index.html` to it, and the browser refuses a
// redirected answer to the opening of a page.
const addressOf = (file) => (file === 'index.html' ? './' : file);

self.addEventListener('install', (event) => {
  const requests = FILES.map(
    (file) => new Request(addressOf(file), { cache: file.startsWith('assets/') ? 'default' : 'reload' }),
  );
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

self.addEventListener('activate', (event) => {
  const removeOld = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(removeOld());
});

self.addEventListener('message', (event) => {
  if (event.data === 'use') self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(CACHE);
    const { scope } = self.registration;
    const isPage = request.mode === 'navigate' && [scope, `${scope}index.html`].includes(request.url.split(/[?#]/)[0]);
    return (await cache.match(isPage ? './' : request)) ?? fetch(request);
  };
  event.respondWith(answer());
});
