import { useEffect, useRef, useState } from 'preact/hooks';
import type { AlfilBoard } from './board/element';
import { Chooser } from './chooser';
import { Game, type Shown } from './game';
import { Back, Moon, Silence, Sound, Sun, Turn } from './icons';
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
  const dark = isDark(theme);
  return (
    <div class="page" style={look && { '--shape': board.current?.shape }}>
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
            {muted ? <Silence /> : <Sound />}
          </button>
          <button
            class="plain icon"
            title={dark ? 'Make it light' : 'Make it dark'}
            aria-label="Light or dark"
            onClick={() => setTheme(dark ? 'light' : 'dark')}
          >
            {dark ? <Sun /> : <Moon />}
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
          <div class="stand">
            <p class={`status ${ended ? 'ended' : position?.check ? 'checked' : ''}`} role="status" aria-live="polite">
              {connected ? statusWords(shown) : 'The connection is lost. Trying to connect again …'}
            </p>
            <p class="said" aria-live="polite">
              {said(shown)}
            </p>
          </div>
          {trouble && (
            <p class="trouble" role="alert">
              {trouble}
            </p>
          )}
          {pass && !thinking && (
            <button class="strong" onClick={() => void game.play(pass)}>
              Pass: you have no move
            </button>
          )}
          {ended && (
            <button class="strong" onClick={() => void game.start(look?.game ?? '', person, level)}>
              Play again
            </button>
          )}
          <Record moves={position?.record ?? []} places={Boolean(position?.targets.some((target) => !target.from))} />
          <div class="deeds">
            <button onClick={() => void game.takeBack()} disabled={!game.canTakeBack()}>
              <Back /> Take back
            </button>
            <button onClick={() => game.flip()}>
              <Turn /> Flip
            </button>
          </div>
        </aside>
      </main>
      {asking && (
        <NewGame
          games={shown.games}
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

function Player({ shown, top = false }: { shown: Shown; top?: boolean }) {
  const { look, position, person, level, thinking, flipped } = shown;
  const below = person === 0 ? 0 : 1;
  const side = (top !== flipped ? 1 - below : below) as 0 | 1;
  const yours = side === person;
  const turn = position?.side === side && !position.ending;
  return (
    <p class={`player ${turn ? 'turn' : ''}`}>
      <span class={`dot ${look?.sides[side].toLowerCase() ?? ''}`} aria-hidden="true" />
      <b>{look?.sides[side] ?? ''}</b>
      <span>{yours ? 'you' : `computer, level ${level}`}</span>
      {!yours && thinking && <span class="thinking">thinking …</span>}
    </p>
  );
}

/** The last move, as one would say it. */
function said({ look, position, person }: Shown): string {
  const text = position?.record.at(-1);
  if (!look || !position || text === undefined) return '';
  const side = (1 - position.side) as 0 | 1;
  return `${side === person ? 'You' : look.sides[side]} played ${text}`;
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
