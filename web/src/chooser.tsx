import { useLayoutEffect, useRef } from 'preact/hooks';
import type { BoardAppearance, BoardTarget } from './board/types';
import { Face } from './face';
import { useMessage } from './language';

interface Props {
  look: BoardAppearance;
  targets: BoardTarget[];
  pictures: boolean;
  onChoose(target: BoardTarget | undefined): void;
}

/** One of several moves between the same squares, in the order of the men to set up. */
export function Chooser({ look, targets, pictures, onChoose }: Props) {
  const message = useMessage();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const letters = Object.keys(look.men);
  const place = ({ choice }: BoardTarget) => letters.indexOf(choice ?? '');
  return (
    <dialog ref={dialog} class="chooser" aria-label={message('chooseMove')} onClose={() => onChoose(undefined)}>
      {[...targets].sort((a, b) => place(a) - place(b)).map((target) => {
        const man = look.men[target.choice ?? ''];
        return (
          <button key={target.text} class={man ? 'man' : ''} aria-label={man?.name ?? target.text} title={man?.name} onClick={() => onChoose(target)}>
            {man && target.choice ? <Face look={look} letter={target.choice} pictures={pictures} /> : target.text}
          </button>
        );
      })}
    </dialog>
  );
}
