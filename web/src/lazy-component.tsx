import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { message } from './messages';

/** Returns a component of a part of the page that is loaded when it is shown for the first time. */
export function lazyComponent<P extends { client: GameClient }>(load: () => Promise<ComponentType<P>>) {
  let loaded: ComponentType<P> | undefined;
  return function LazyComponent(props: P) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      const onLoaded = (component: ComponentType<P>) => {
        loaded = component;
        setPart(() => component);
      };
      const { client } = props;
      load().then(onLoaded, (error: Error) =>
        client.showError(message(client.state.language, 'errorPartNotLoaded', error.message)),
      );
    }, []);
    return Part ? <Part {...props} /> : null;
  };
}
