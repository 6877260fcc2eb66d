import { afterEach, expect, test, vi } from 'vitest';
import { registerServiceWorker } from './updates';

class FakeTarget {
  private readonly listeners = new Map<string, () => void>();

  addEventListener(name: string, listener: () => void): void {
    this.listeners.set(name, listener);
  }

  send(name: string): void {
    this.listeners.get(name)?.();
  }
}

class FakeVersion extends FakeTarget {
  state = 'installing';
  readonly received: unknown[] = [];

  postMessage(message: unknown): void {
    this.received.push(message);
  }
}

class FakeRegistration extends FakeTarget {
  installing: FakeVersion | null = null;
  waiting: FakeVersion | null = null;

  /** Installs a version, which then waits in the place of the one before it. */
  install(): FakeVersion {
    const version = new FakeVersion();
    this.installing = version;
    this.send('updatefound');
    [this.installing, this.waiting, version.state] = [null, version, 'installed'];
    version.send('statechange');
    return version;
  }
}

class FakeContainer extends FakeTarget {
  controller: object | null = null;
  readonly registration = new FakeRegistration();

  register(): Promise<FakeRegistration> {
    return Promise.resolve(this.registration);
  }

  /** A version takes over the page. */
  takeOver(version: object): void {
    this.controller = version;
    this.send('controllerchange');
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  document.querySelector('.new-version')?.remove();
});

test('the newest version is used when the user wants it, also in the page that the first version has taken over', async () => {
  const [container, reload] = [new FakeContainer(), vi.fn()];
  vi.stubGlobal('navigator', { serviceWorker: container });
  vi.stubGlobal('location', { reload });
  registerServiceWorker();
  await Promise.resolve();
  container.takeOver({});
  expect(reload).not.toHaveBeenCalled();
  const [second, third] = [container.registration.install(), container.registration.install()];
  document.querySelector<HTMLButtonElement>('.new-version button')?.click();
  expect([second.received, third.received]).toEqual([[], ['use']]);
  container.takeOver(third);
  expect(reload).toHaveBeenCalledOnce();
});
