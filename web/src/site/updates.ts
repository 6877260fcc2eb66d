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
  let hasController = navigator.serviceWorker.controller !== null;
  // The page is loaded again by the version that the user has chosen, and not when the first one takes over.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hasController) location.reload();
    hasController = true;
  });
  navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' }).then(
    (registration) => {
      if (registration.waiting && hasController) offerVersion(registration);
      registration.addEventListener('updatefound', () => {
        const found = registration.installing;
        found?.addEventListener('statechange', () => {
          if (found.state === 'installed' && navigator.serviceWorker.controller) offerVersion(registration);
        });
      });
    },
    () => {
      // Without a service worker the page needs the network to be opened; everything else works.
    },
  );
}

/** Shows that a new version waits. */
function offerVersion(registration: ServiceWorkerRegistration): void {
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
    // A still newer version may have taken the place of the one that was found first.
    button(texts.use, () => registration.waiting?.postMessage('use')),
    ' ',
    button(texts.later, () => bar.remove()),
  );
  document.body.append(bar);
}
