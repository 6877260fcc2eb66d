import { useEffect, useState } from 'preact/hooks';
import type { Game, Shown } from './game';
import { rulesetTitle, sideNames, verdictText } from './names';
import { useMessage } from './language';
import type { RulingDto } from './protocol';

/** So many moves that would end the game are named. */
const NAMED = 4;
const NATURES = {
  check: 'classCheck',
  kill: 'classMateThreat',
  chase: 'classChase',
  exchange: 'classExchange',
  offer: 'classOffer',
  follow: 'classFollow',
  block: 'classBlock',
  idle: 'classIdle',
} as const;

/** Whether the game has ended here and there is a judge to ask why. */
export function judged({ position, game }: Shown): boolean {
  return Boolean(position?.ending) && (game?.books.length ?? 0) > 0;
}

/** Goes to what the judge says. */
export function consult(): void {
  const reasons = document.querySelector<HTMLElement>('.judge .reasons');
  reasons?.focus({ preventScroll: true });
  reasons?.closest('.judge')?.scrollIntoView({ block: 'nearest' });
}

/**
 * The judge: it speaks when a game has ended or a position has come back, says why, and rules again under another book. The
 * moves of the repetition can be walked, with what they attack.
 */
export function Judge({ game, shown, onSpeak }: { game: Game; shown: Shown; onSpeak(speaks: boolean): void }) {
  const message = useMessage();
  const [chosen, setChosen] = useState<string>();
  const [ruling, setRuling] = useState<RulingDto>();
  /** The node that was ruled on: walking the repetition does not change the case. */
  const [at, setAt] = useState<number>();
  const { position, node, language, tree, game: playing } = shown;
  const books = playing?.books ?? [];
  const own = playing?.book ?? undefined;
  const book = chosen ?? own;
  const id = playing?.id;
  const called = judged(shown) || (books.length > 0 && (position?.occurrences ?? 0) > 1);
  useEffect(() => {
    setRuling(undefined);
    setAt(undefined);
    setChosen(undefined);
  }, [id, own]);
  useEffect(() => {
    const road = ruling && at !== undefined ? tree.road(at).map((one) => one.node) : [];
    // Someone who walks the repetition still hears of the same case.
    if (ruling && at !== node && road.includes(node) && ruling.plies.some(({ ply }) => road[ply] === node)) return;
    if (!called) {
      setRuling(undefined);
      return;
    }
    void rule(book);
  }, [node, position, own]);
  useEffect(() => {
    if (ruling && at === node) void rule(book);
  }, [language]);
  useEffect(() => onSpeak(ruling !== undefined), [ruling]);

  const rule = async (name: string | undefined) => {
    const occurrences = position && !position.ending && position.occurrences > 1 ? position.occurrences : undefined;
    const answer = await game.inquire({ do: 'rule', book: name, occurrences, chinese: language === 'zh' });
    if (!answer?.ruling) {
      // What was said of another position is no answer here.
      if (at !== node) setRuling(undefined);
      return;
    }
    setRuling(answer.ruling);
    setAt(node);
  };
  const choose = async (name: string) => {
    setChosen(name);
    // The case is ruled on where it arose.
    if (at !== undefined && at !== node) await game.go(at);
    await rule(name);
  };
  if (!ruling) return null;
  const road = tree.road(at ?? node);
  const names = shown.look ? sideNames(shown.look, language) : ['', ''];
  return (
    <section class="judge panel" aria-label={message('ruling')}>
      <div class="bar">
        <b>{message('ruling')}</b>
        <label class="choice">
          <select aria-label={message('ruleset')} value={ruling.book} onChange={(event) => void choose(event.currentTarget.value)}>
            {books.map((one) => (
              <option key={one.name} value={one.name}>
                {rulesetTitle(one, language)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <ul class="reasons" tabIndex={0} aria-label={message('ruling')}>
        {ruling.explanation.map((words) => (
          <li key={words}>{words}</li>
        ))}
        {ruling.instead.length > 0 && <li>{message('alternatives', ruling.instead.slice(0, 6).join(', '))}</li>}
      </ul>
      {ruling.readings.length > 0 && (
        <div class="readings">
          {message('disputed')}
          <ul>
            {ruling.readings.map(({ winner, words }) => (
              <li key={words}>{message('reading', winner === null ? message('drawn') : message('wins', names[winner] ?? ''), words)}</li>
            ))}
          </ul>
        </div>
      )}
      {ruling.plies.length > 0 && (
        <div class="window">
          {ruling.plies.map(({ ply, nature, victims }) => {
            const move = road[ply];
            return (
              <button key={ply} class={`move ${nature} ${move?.node === node ? 'current' : ''}`} onClick={() => void game.accuse(move?.node, victims)}>
                {move?.label} <small>{message(NATURES[nature])}</small>
              </button>
            );
          })}
        </div>
      )}
      {ruling.book !== own && (
        <button class="small" onClick={() => void game.book(ruling.book)}>
          {message('playUnderRuleset')}
        </button>
      )}
    </section>
  );
}

/** What should be known before one moves: which moves would end the game, and how. */
export function Warnings({ game, shown }: { game: Game; shown: Shown }) {
  const message = useMessage();
  const { position, language } = shown;
  const found = new Map<string, string[]>();
  for (const { label, ending } of (game.mayMove() && position?.warnings) || []) {
    const words = verdictText(ending, language);
    found.set(words, [...(found.get(words) ?? []), label]);
  }
  if (found.size === 0) return null;
  return (
    <div class="warnings" role="status">
      {[...found].map(([words, labels]) => (
        <p key={words}>{message('endsGame', labels.length > NAMED ? `${labels.slice(0, NAMED).join(', ')} …` : labels.join(', '), words)}</p>
      ))}
    </div>
  );
}
