import type { BoardTarget } from '../board/src/types';
import type { ClientActions } from './client-actions';
import type { TargetDto } from './wire/types';

/** A reply that comes sooner leaves no time to enter a move, in milliseconds. */
const LOAD_DELAY_MS = 120;

/** Returns moves between the same squares in the order of the palette: the first promotion is that to a queen. */
export function inPaletteOrder<T extends Pick<TargetDto, 'choice'>>(targets: T[], pieces: object = {}): T[] {
  // The appearance lists the pieces in the order of the palette.
  const letters = Object.keys(pieces);
  const order = ({ choice }: T) => letters.indexOf(choice ?? '');
  return [...targets].sort((a, b) => order(a) - order(b));
}

/**
 * The move that the user enters before the computer has replied. It is played after the reply if it is legal then. The
 * server says which moves may be entered.
 */
export class Premoves {
  constructor(private readonly client: ClientActions) {}

  /** Requests the moves that the user may enter, unless the computer replies at once. */
  loadSoon(): void {
    const { node } = this.client.state;
    setTimeout(() => this.isOpen && this.client.state.node === node && void this.load(), LOAD_DELAY_MS);
  }

  private async load(): Promise<void> {
    const { client } = this;
    const { node } = client.state;
    const response = await client.requestQuietly({ do: 'premoves' });
    if (response?.premoves && client.state.node === node && client.state.turn.replying) {
      client.update({ premoveTargets: response.premoves });
    }
  }

  /** Returns whether the user may enter a premove now. */
  get isOpen(): boolean {
    const { state, userSide } = this.client;
    return state.turn.replying === true && userSide !== null && state.position?.side !== userSide;
  }

  /** Sets the premove to the first of the moves between the same squares. */
  set(targets: BoardTarget[]): void {
    const [first] = inPaletteOrder(targets, this.client.state.appearance?.pieces);
    if (first) this.client.update({ premove: { from: first.from, to: first.to, choice: first.choice } });
  }

  cancel(): void {
    if (this.client.state.premove) this.client.update({ premove: undefined });
  }

  /** Takes the premove back, and returns the legal move that it is after the reply, if it is one. */
  take(): TargetDto | undefined {
    const { premove, position, appearance } = this.client.state;
    this.client.update({ premove: undefined, premoveTargets: [] });
    if (!premove) return undefined;
    const found = position?.targets.filter(({ from, to }) => from === premove.from && to === premove.to) ?? [];
    // Where a choice is needed that was not offered before, such as a promotion, the first is the usual one.
    return found.find(({ choice }) => choice === premove.choice) ?? inPaletteOrder(found, appearance?.pieces)[0];
  }
}
