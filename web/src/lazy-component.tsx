import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { message } from './messages';

/**
 * Returns a component of a part of the page that is loaded when it is shown for the first time. A dialog or menu that
 * cannot be loaded is closed, so that the page shows the error.
 */
export function lazyComponent<P extends { client: GameClient; onClose?(): void }>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  return function LazyComponent(props: P) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      let isShown = true;
      const onLoaded = (component: ComponentType<P>) => {
        loaded = component;
        setPart(() => component);
      };
      const { client, onClose } = props;
      load().then(onLoaded, (error: Error) => {
        if (isShown) onClose?.();
        client.showError(message(client.state.language, 'errorPartNotLoaded', error.message));
      });
      return () => void (isShown = false);
    }, []);
    return Part ? <Part {...props} /> : null;
  };
}
