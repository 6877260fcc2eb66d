import type { BoardAppearance, BoardTarget } from '../board/src/types';
import { useMessage } from './language';
import { useModalDialog } from './modal-dialog';
import { PieceIcon } from './piece-icon';

interface Props {
  appearance: BoardAppearance;
  targets: BoardTarget[];
  pictures: boolean;
  onChoose(target: BoardTarget | undefined): void;
}

/** Lets the user choose which of several moves between the same squares is meant, such as a promotion. */
export function MoveChooser({ appearance, targets, pictures, onChoose }: Props) {
  const message = useMessage();
  const dialog = useModalDialog(() => onChoose(undefined));
  // The appearance lists the pieces in the order of the setup palette.
  const letters = Object.keys(appearance.pieces);
  const order = ({ choice }: BoardTarget) => letters.indexOf(choice ?? '');
  return (
    <dialog ref={dialog} class="move-chooser" aria-label={message('chooseMove')} onClose={() => onChoose(undefined)}>
      {[...targets].sort((a, b) => order(a) - order(b)).map((target) => {
        const { choice, text } = target;
        const piece = appearance.pieces[choice ?? ''];
        return (
          <button
            key={text}
            class={piece ? 'piece' : ''}
            aria-label={piece?.name ?? text}
            title={piece?.name}
            onClick={() => onChoose(target)}
          >
            {piece && choice ? <PieceIcon appearance={appearance} letter={choice} pictures={pictures} /> : text}
          </button>
        );
      })}
    </dialog>
  );
}
