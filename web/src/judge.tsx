import { useEffect, useState } from 'preact/hooks';
import type { Game, Shown } from './game';
import { useWords } from './speech';
import type { Ruling } from './wire';

const NATURES = {
  check: 'natureCheck',
  kill: 'natureKill',
  chase: 'natureChase',
  exchange: 'natureExchange',
  offer: 'natureOffer',
  follow: 'natureFollow',
  block: 'natureBlock',
  idle: 'natureIdle',
} as const;

/**
 * The judge: it speaks when a game has ended or a position has come back, says why, and rules again under another book. The
 * moves of the repetition can be walked, with what they attack.
 */
export function Judge({ game, shown }: { game: Game; shown: Shown }) {
  const say = useWords();
  const [book, setBook] = useState<string>();
  const [ruling, setRuling] = useState<Ruling>();
  /** The node that was ruled on: walking the repetition does not change the case. */
  const [at, setAt] = useState<number>();
  const { position, node, language, tree, game: playing } = shown;
  const books = playing?.books ?? [];
  const id = playing?.id;
  const called = books.length > 0 && position !== undefined && (position.ending !== null || position.occurrences > 1);
  useEffect(() => {
    setRuling(undefined);
    setAt(undefined);
  }, [id]);
  useEffect(() => {
    const road = ruling && at !== undefined ? tree.road(at).map((one) => one.node) : [];
    // Someone who walks the repetition still hears of the same case.
    if (ruling && at !== node && road.includes(node) && ruling.plies.some(({ ply }) => road[ply] === node)) return;
    if (!called) {
      setRuling(undefined);
      return;
    }
    void rule(book);
  }, [node, position]);
  useEffect(() => {
    if (ruling && at === node) void rule(book);
  }, [language]);

  const rule = async (name: string | undefined) => {
    const occurrences = position && !position.ending && position.occurrences > 1 ? position.occurrences : undefined;
    const answer = await game.inquire({ do: 'rule', book: name, occurrences, chinese: language === 'zh' });
    if (!answer?.ruling) return;
    setRuling(answer.ruling);
    setAt(node);
  };
  const choose = async (name: string) => {
    setBook(name);
    // The case is ruled on where it arose.
    if (at !== undefined && at !== node) await game.go(at);
    await rule(name);
  };
  if (!ruling) return null;
  const road = tree.road(at ?? node);
  return (
    <section class="judge panel" aria-label={say('judge')}>
      <div class="bar">
        <b>{say('judge')}</b>
        <label class="choice">
          <span class="word">{say('book')}</span>
          <select aria-label={say('book')} value={ruling.book} onChange={(event) => void choose(event.currentTarget.value)}>
            {books.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <ul class="reasons" tabIndex={0} aria-label={say('judge')}>
        {ruling.explanation.map((words) => (
          <li key={words}>{words}</li>
        ))}
        {ruling.instead.length > 0 && <li>{say('instead', ruling.instead.slice(0, 6).join(', '))}</li>}
      </ul>
      {ruling.plies.length > 0 && (
        <div class="window">
          {ruling.plies.map(({ ply, nature, victims }) => {
            const move = road[ply];
            return (
              <button key={ply} class={`move ${nature} ${move?.node === node ? 'current' : ''}`} onClick={() => void game.accuse(move?.node, victims)}>
                {move?.label} <small>{say(NATURES[nature])}</small>
              </button>
            );
          })}
        </div>
      )}
    </section>
  );
}
