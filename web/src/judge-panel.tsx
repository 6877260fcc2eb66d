import { useEffect, useRef, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { useMessage } from './language';
import { AuthorityTable } from './lazy-parts';
import { gameTitle, refusalText, sideNames, warningText } from './names';
import type { RuleWarningDto, RulingDto } from './wire/types';
import type { UiState } from './ui-state';

/** The maximal number of moves that a warning names. */
const MAX_NAMED_MOVES = 4;
/** The messages for the classes of moves in a repetition. */
export const MOVE_CLASSES = {
  check: 'classCheck',
  kill: 'classMateThreat',
  chase: 'classChase',
  exchange: 'classExchange',
  offer: 'classOffer',
  follow: 'classFollow',
  block: 'classBlock',
  idle: 'classIdle',
} as const;

/** Returns whether the game has ended in this position and rulesets can explain why. */
export function canExplainEnd({ position, game }: UiState): boolean {
  return Boolean(position?.ending) && (game?.rulesets.length ?? 0) > 0;
}

/** Moves the focus to the explanation in the judge panel. */
export function focusRuling(): void {
  const reasons = document.querySelector<HTMLElement>('.judge .reasons');
  reasons?.focus({ preventScroll: true });
  reasons?.closest('.judge')?.scrollIntoView({ block: 'nearest' });
}

interface Props {
  client: GameClient;
  state: UiState;
  onRulingChange(hasRuling: boolean): void;
}

/**
 * The ruling on a finished game or on a repeated position: the reasons, the verdicts under other rulesets, and the
 * moves of the repetition. A click on a move goes to it and shows what it chases. Another game or ruleset has a panel
 * of its own, by its `key`.
 */
export function JudgePanel({ client, state, onRulingChange }: Props) {
  const message = useMessage();
  const [chosenRuleset, setChosenRuleset] = useState<string>();
  const [ruling, setRuling] = useState<RulingDto>();
  const [showsAuthorities, setShowsAuthorities] = useState(false);
  /** The node whose position the ruling is about. It stays the same while the user steps through the repetition. */
  const [ruledNode, setRuledNode] = useState<number>();
  const { position, node, language, tree, game } = state;
  const rulesets = game?.rulesets ?? [];
  const gameRuleset = game?.ruleset ?? undefined;
  const shownNode = useRef(node);
  shownNode.current = node;
  const repeated = rulesets.length > 0 && (position?.occurrences ?? 0) > 1;
  const needsRuling = canExplainEnd(state) || repeated;
  useEffect(() => {
    const path = ruling && ruledNode !== undefined ? tree.pathTo(ruledNode).map((one) => one.node) : [];
    // The ruling stays while the user steps through the moves of the repetition.
    const inRepetition = ruling?.plies.some(({ ply }) => path[ply] === node) ?? false;
    if (ruling && ruledNode !== node && path.includes(node) && inRepetition) return;
    if (!needsRuling) {
      setRuling(undefined);
      return;
    }
    void requestRuling(chosenRuleset ?? gameRuleset);
  }, [node, position]);
  useEffect(() => {
    if (ruling && ruledNode === node) void requestRuling(chosenRuleset ?? gameRuleset);
  }, [language]);
  useEffect(() => onRulingChange(ruling !== undefined), [ruling]);

  const occurrences = position && !position.ending && position.occurrences > 1 ? position.occurrences : undefined;
  const requestRuling = async (ruleset: string | undefined) => {
    const response = await client.request({ do: 'rule', ruleset, occurrences, chinese: language === 'zh' });
    // Meanwhile the user may have gone to another position, which has a request of its own or no ruling.
    if (shownNode.current !== node) return;
    if (!response?.ruling) {
      // The ruling on another position must not stay beside this one.
      if (ruledNode !== node) setRuling(undefined);
      return;
    }
    setRuling(response.ruling);
    setRuledNode(node);
  };
  const chooseRuleset = async (name: string) => {
    setChosenRuleset(name);
    // The server rules on the position on the board, so the ruled position must be there: going to it requests the
    // ruling.
    if (ruledNode !== undefined && ruledNode !== node) await client.goTo(ruledNode);
    else await requestRuling(name);
  };
  if (!ruling) return null;
  const path = tree.pathTo(ruledNode ?? node);
  // The verdict, which the explanation ends with, stays in sight above the reasons, which scroll.
  const [reasons, verdict] =
    ruling.explanation.length > 1
      ? [ruling.explanation.slice(0, -1), ruling.explanation.at(-1)]
      : [ruling.explanation, undefined];
  const names = state.appearance ? sideNames(state.appearance, language) : ['', ''];
  return (
    <section class="judge panel" aria-label={message('ruling')}>
      <div class="toolbar">
        <b>{message('ruling')}</b>
        <label class="inline-field">
          <select
            aria-label={message('ruleset')}
            value={ruling.ruleset}
            onChange={(event) => void chooseRuleset(event.currentTarget.value)}
          >
            {rulesets.map((ruleset) => (
              <option key={ruleset.name} value={ruleset.name}>
                {gameTitle(ruleset, language)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {verdict && <p class="verdict">{verdict}</p>}
      <ul class="reasons" tabIndex={0} aria-label={message('ruling')}>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
        {ruling.instead.length > 0 && <li>{message('alternatives', ruling.instead.slice(0, 6).join(', '))}</li>}
      </ul>
      {ruling.readings.length > 0 && (
        <div class="readings">
          {message('disputed')}
          <ul>
            {ruling.readings.map(({ winner, words: reason }) => {
              const verdict = winner === null ? message('drawn') : message('wins', names[winner] ?? '');
              return <li key={reason}>{message('reading', verdict, reason)}</li>;
            })}
          </ul>
        </div>
      )}
      {ruling.plies.length > 0 && (
        <div class="repetition">
          {ruling.plies.map(({ ply, nature, victims }) => {
            const move = path[ply];
            return (
              <button
                key={ply}
                class={`move ${nature} ${move?.node === node ? 'current' : ''}`}
                onClick={() => void client.showAttacks(move?.node, victims)}
              >
                {move?.label} <small>{message(MOVE_CLASSES[nature])}</small>
              </button>
            );
          })}
        </div>
      )}
      <details class="authorities" onToggle={(event) => setShowsAuthorities(event.currentTarget.open)}>
        <summary>{message('authorities')}</summary>
        {showsAuthorities && <AuthorityTable client={client} state={state} node={ruledNode ?? node} occurrences={occurrences} />}
      </details>
      {ruling.ruleset !== gameRuleset && (
        <button class="small" onClick={() => void client.setRuleset(ruling.ruleset)}>
          {message('playUnderRuleset')}
        </button>
      )}
    </section>
  );
}

/** Returns a list of moves of which the first ones are named. */
function namedMoves(moves: string[]): string {
  const named = moves.slice(0, MAX_NAMED_MOVES).join(', ');
  return moves.length > MAX_NAMED_MOVES ? `${named} …` : named;
}

/** Says which moves the ruleset refuses now, and why; and of a refused move that the user has tried to play. */
export function RefusedMoves({ client, state }: { client: GameClient; state: UiState }) {
  const { position, language } = state;
  const refused = (client.mayMove() && position?.refused) || [];
  const reasons = new Set(refused.map(({ reason }) => reason));
  const tried = refused.find(({ text }) => text === state.refusedMove);
  // The regions stay in the document, so that screen readers announce their changes.
  return (
    <>
      <div class="refused-moves" role="status">
        {!tried && [...reasons].map((reason) => {
          const moves = refused.filter((move) => move.reason === reason);
          const [first] = moves;
          return first && <p key={reason}>{refusalText(first, namedMoves(moves.map(({ label }) => label)), language)}</p>;
        })}
      </div>
      <div class="refused-moves tried" role="alert">
        {tried && <p>{refusalText(tried, tried.label, language)}</p>}
      </div>
    </>
  );
}

/** Warns before the user's move which legal moves end the game by a rule, and how. */
export function RuleWarnings({ client, state }: { client: GameClient; state: UiState }) {
  const { position, language } = state;
  /** Of each kind of warning: one of them, and the moves of all. */
  const kinds = new Map<string, { warning: RuleWarningDto; moves: string[] }>();
  for (const warning of (client.mayMove() && position?.warnings) || []) {
    const kind = warningText(warning, '', language);
    const { moves } = kinds.get(kind) ?? { moves: [] };
    kinds.set(kind, { warning, moves: [...moves, warning.label] });
  }
  if (kinds.size === 0) return null;
  return (
    <div class="warnings" role="status">
      {[...kinds].map(([kind, { warning, moves }]) => (
        <p key={kind}>{warningText(warning, namedMoves(moves), language)}</p>
      ))}
    </div>
  );
}
