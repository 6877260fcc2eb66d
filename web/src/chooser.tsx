import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWords } from './speech';
import type { Look, Target } from './wire';

interface Props {
  look: Look;
  targets: Target[];
  onChoose(target: Target | undefined): void;
}

/** One of several moves between the same squares. */
export function Chooser({ look, targets, onChoose }: Props) {
  const say = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="chooser" aria-label={say('choose')} onClose={() => onChoose(undefined)}>
      {targets.map((target) => {
        const man = look.men[target.choice ?? ''];
        return (
          <button key={target.text} aria-label={man?.name ?? target.text} onClick={() => onChoose(target)}>
            {man?.outline ? (
              <svg viewBox="-500 -500 1000 1000" aria-hidden="true">
                <path d={man.outline} />
              </svg>
            ) : (
              target.text
            )}
          </button>
        );
      })}
    </dialog>
  );
}
