import type { BoardAppearance, BoardTarget } from '../board/src/types';
import { useMessage } from './language';
import { useModalDialog } from './modal-dialog';
import { PieceIcon } from './piece-icon';
import { inPaletteOrder } from './premoves';

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
  return (
    <dialog
      ref={dialog}
      class="move-chooser"
      aria-label={message('chooseMove')}
      onClose={() => onChoose(undefined)}
      onClick={(event) => event.target === event.currentTarget && onChoose(undefined)}
    >
      {inPaletteOrder(targets, appearance.pieces).map((target) => {
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
