// The service worker: it keeps the files for use without a network, and a new version waits until the user wants it.

import { loadPreference } from '../preferences';
import './site.css';

const TEXTS = {
  en: { ready: 'A new version of Alfil is ready.', use: 'Use it now', later: 'Later' },
  zh: { ready: 'Alfil 有新版本可用。', use: '立即使用', later: '稍后' },
};

/** Registers the service worker where the browser supports it: over HTTPS, and on this machine. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const hadController = navigator.serviceWorker.controller !== null;
  // The page is loaded again by the version that the user has chosen, and not when the first one takes over.
  navigator.serviceWorker.addEventListener('controllerchange', () => hadController && location.reload());
  navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' }).then(
    (registration) => {
      if (registration.waiting && hadController) offerVersion(registration.waiting);
      registration.addEventListener('updatefound', () => {
        const found = registration.installing;
        found?.addEventListener('statechange', () => {
          if (found.state === 'installed' && navigator.serviceWorker.controller) offerVersion(found);
        });
      });
    },
    () => {
      // Without a service worker the page needs the network to be opened; everything else works.
    },
  );
}

/** Shows that a new version waits. */
function offerVersion(version: ServiceWorker): void {
  if (document.querySelector('.new-version')) return;
  const chinese = (loadPreference('language', '') || document.documentElement.lang).startsWith('zh');
  const texts = TEXTS[chinese ? 'zh' : 'en'];
  const bar = document.createElement('div');
  bar.className = 'new-version';
  bar.setAttribute('role', 'status');
  const button = (text: string, onClick: () => void) => {
    const element = document.createElement('button');
    element.textContent = text;
    element.onclick = onClick;
    return element;
  };
  bar.append(
    `${texts.ready} `,
    button(texts.use, () => version.postMessage('use')),
    ' ',
    button(texts.later, () => bar.remove()),
  );
  document.body.append(bar);
}
