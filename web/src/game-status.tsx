import { useEffect, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { canExplainEnd, focusRuling } from './judge-panel';
import { useMessage } from './language';
import { message } from './messages';
import { sideNames, verdictText } from './names';
import type { Side } from './wire/types';
import { type UiState, currentTimeControl, isEarlierPosition, isGameOver, isPlayed, isReplyMissing, resignedSide, searchedMove, timeForfeitSide } from './ui-state';

/** The time after which a button lets the computer move, in milliseconds: a reply in another window may come sooner. */
const REPLY_BUTTON_DELAY_MS = 500;

interface Props {
  client: GameClient;
  state: UiState;
  /** Whether the judge panel shows a ruling. */
  hasRuling: boolean;
  /** Explains why the game is over. */
  onExplainEnd(): void;
}

/** The status of the game in words, the last move, and a button for a missing reply or a new game after the end. */
export function GameStatus({ client, state, hasRuling, onExplainEnd }: Props) {
  const message = useMessage();
  const { position, connected, game, appearance, level, tree, node } = state;
  const ended = isGameOver(state);
  const startAgain = () => {
    const options = { clock: currentTimeControl(state), two_people: game?.two_people, engine: game?.engine, keepsLevel: true };
    const person = game?.two_people ? null : (game?.person ?? 0);
    void client.startGame(appearance?.game ?? '', person, game?.level || level, options);
  };
  return (
    <>
      <div class="game-status">
        <p class={`status ${ended ? 'ended' : position?.check ? 'in-check' : ''}`} role="status" aria-live="polite">
          {connected ? statusText(state) : message(client.lostMessage)}
        </p>
        <p class="last-move" aria-live="polite">
          {lastMoveText(state)}
        </p>
        {position?.ending && (
          <p class="help">
            <button class="link" onClick={onExplainEnd}>
              {message('explainEnd')}
            </button>
          </p>
        )}
        {canExplainEnd(state) && hasRuling && (
          <p class="help">
            <button class="link" onClick={focusRuling}>
              {message('showRuling')}
            </button>
          </p>
        )}
        {isEarlierPosition(state) && !ended && (
          <p class="help">
            {client.mayMove() && `${message('earlierPositionHelp')} `}
            <button class="link" onClick={() => void client.goTo(tree.lineThrough(node).at(-1)?.node)}>
              {message('goToEnd')}
            </button>
          </p>
        )}
      </div>
      {isReplyMissing(state) && <ReplyButton client={client} />}
      {ended && isPlayed(game) && (
        <button class="primary play-again" onClick={startAgain}>
          {message('playAgain')}
        </button>
      )}
    </>
  );
}

/** The button that lets the computer move, after a moment in which nothing else has done it. */
function ReplyButton({ client }: { client: GameClient }) {
  const message = useMessage();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), REPLY_BUTTON_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isShown ? <button class="primary" onClick={() => void client.continuePlay()}>{message('retryReply')}</button> : null;
}

/** Returns the status of the game: the verdict, the search, or the side to move. */
function statusText(state: UiState): string {
  const { position, game, appearance, searchQueued, turn, language } = state;
  const searched = searchedMove(state);
  if (!position || !appearance || !game) return message(language, 'loadingGame');
  const names = sideNames(appearance, language);
  const opponentName = (side: Side) => names[1 - side] ?? '';
  if (position.ending) return verdictText(position.ending, language);
  const resigned = resignedSide(state);
  if (resigned !== null) return message(language, 'resigned', names[resigned], opponentName(resigned));
  const forfeit = timeForfeitSide(state);
  if (forfeit !== null) {
    const key = position.clock?.drawn ? 'timeForfeitDrawn' : 'timeForfeit';
    return message(language, key, names[forfeit], opponentName(forfeit));
  }
  if (turn.next === 'pass') return message(language, 'youPass');
  const check = position.check ? message(language, 'check') : '';
  if (searched) return check + message(language, searchQueued ? 'searchQueued' : searched === 'hint' ? 'searchingHint' : 'computerThinking');
  if (isEarlierPosition(state)) return message(language, 'earlierPosition');
  if (position.side === game.person) return check + message(language, 'yourMove');
  return check + message(language, 'sideToMove', names[position.side]);
}

/** Returns the last move in words. */
function lastMoveText({ appearance, position, tree, node, language, game }: UiState): string {
  const move = tree.node(node);
  if (!appearance || !position || !move || node === 0) return '';
  const side = (1 - position.side) as Side;
  const name = sideNames(appearance, language)[side];
  // A pass has no squares.
  if (position.last.length === 0) return message(language, 'sidePassed', name);
  const text =
    side === game?.person
      ? message(language, 'youPlayed', move.label)
      : message(language, 'sidePlayed', name, move.label);
  return position.occurrences > 1 ? message(language, 'repeated', text, position.occurrences) : text;
}
