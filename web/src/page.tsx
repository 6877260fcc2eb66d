import { useEffect, useRef, useState } from 'preact/hooks';
import type { AlfilBoard } from './board/element';
import { Chooser } from './chooser';
import { Game, type Shown } from './game';
import { kept, keep } from './memory';
import { NewGame } from './newgame';
import { Record } from './record';
import type { Target } from './wire';

/** The whole page: the board, how it stands, the moves, and what one can do. */
export function Page() {
  const board = useRef<AlfilBoard>(null);
  const [game] = useState(() => new Game());
  const [shown, setShown] = useState<Shown>(game.shown);
  const [asking, setAsking] = useState(false);
  const [choices, setChoices] = useState<Target[]>([]);
  const [theme, setTheme] = useState(kept('theme', 'auto'));

  useEffect(() => game.attach(board.current, setShown), [game]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    keep('theme', theme);
  }, [theme]);
  useEffect(() => {
    const element = board.current;
    const drop = (event: Event) => {
      const { targets } = (event as CustomEvent<{ targets: Target[] }>).detail;
      if (targets.length > 1) setChoices(targets);
      else if (targets[0]) void game.play(targets[0]);
    };
    element?.addEventListener('drop', drop);
    return () => element?.removeEventListener('drop', drop);
  }, [game]);

  const { look, position, person, level, thinking, muted, trouble, connected } = shown;
  const pass = position?.targets.find((target) => target.to === null && position.side === person);
  const ended = position?.ending;
  return (
    <div class="page">
      <header>
        <h1>Alfil</h1>
        <span class="what">{look?.title}</span>
        <nav>
          <button class="plain" onClick={() => setAsking(true)}>
            New game
          </button>
          <button
            class="plain icon"
            aria-pressed={muted}
            title={muted ? 'Sound is off' : 'Sound is on'}
            aria-label="Mute"
            onClick={() => game.mute(!muted)}
          >
            <Icon path={muted ? `${SPEAKER}M16 9l5 6M21 9l-5 6` : `${SPEAKER}M16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11`} />
          </button>
          <button
            class="plain icon"
            title="Light or dark"
            aria-label="Light or dark"
            onClick={() => setTheme(isDark(theme) ? 'light' : 'dark')}
          >
            <Icon path={isDark(theme) ? SUN : MOON} />
          </button>
        </nav>
      </header>
      <main>
        <section class="play" aria-label="Board">
          <Player shown={shown} top />
          <alfil-board ref={board} />
          <Player shown={shown} />
        </section>
        <aside>
          <p class={`status ${ended ? 'ended' : ''}`} role="status" aria-live="polite">
            {connected ? statusWords(shown) : 'The connection is lost. Trying to connect again …'}
          </p>
          {trouble && (
            <p class="trouble" role="alert">
              {trouble}
            </p>
          )}
          {pass && !thinking && (
            <button class="strong" onClick={() => void game.play(pass)}>
              Pass: there is no move
            </button>
          )}
          {ended && (
            <button class="strong" onClick={() => void game.start(look?.game ?? '', person, level)}>
              Play again
            </button>
          )}
          <Record moves={position?.record ?? []} />
          <div class="deeds">
            <button onClick={() => void game.takeBack()} disabled={!game.canTakeBack()}>
              Take back
            </button>
            <button onClick={() => game.flip()}>Flip</button>
          </div>
        </aside>
      </main>
      {asking && (
        <NewGame
          games={shown.games}
          sides={look?.sides ?? ['First', 'Second']}
          chosen={{ game: look?.game ?? '', person, level }}
          onStart={(name, side, strength) => {
            setAsking(false);
            void game.start(name, side, strength);
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {choices.length > 0 && look && (
        <Chooser
          look={look}
          targets={choices}
          onChoose={(target) => {
            setChoices([]);
            if (target) void game.play(target);
          }}
        />
      )}
    </div>
  );
}

const SPEAKER = 'M4 10v4h3l5 4V6L7 10z';
const SUN = 'M12 8a4 4 0 1 0 0 8 4 4 0 1 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5';
const MOON = 'M20 14A8 8 0 1 1 10 4a6.5 6.5 0 0 0 10 10z';

function Icon({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

function Player({ shown, top = false }: { shown: Shown; top?: boolean }) {
  const { look, position, person, level, thinking, flipped } = shown;
  const below = person === 0 ? 0 : 1;
  const side = (top !== flipped ? 1 - below : below) as 0 | 1;
  const yours = side === person;
  const turn = position?.side === side && !position.ending;
  return (
    <p class={`player ${turn ? 'turn' : ''}`}>
      <span class={`dot side${side} ${look?.layout ?? ''}`} aria-hidden="true" />
      <b>{look?.sides[side] ?? ''}</b>
      <span>{yours ? 'you' : `computer, level ${level}`}</span>
      {!yours && thinking && <span class="thinking">thinking …</span>}
    </p>
  );
}

function statusWords({ position, person, thinking }: Shown): string {
  if (!position) return 'Setting up the board …';
  if (position.ending) return position.ending.words;
  const check = position.check ? 'Check! ' : '';
  if (position.side === person) return `${check}Your move`;
  return thinking ? `${check}The computer is thinking …` : position.words;
}

function isDark(theme: string): boolean {
  return theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'alfil-board': HTMLAttributes<AlfilBoard>;
    }
  }
}
