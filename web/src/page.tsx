import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { boardAppearance } from './board-data';
import type { AlfilBoard } from './board/element';
import type { BoardTarget } from './board/types';
import { Chooser } from './chooser';
import { Clock } from './clock';
import { Balance, Engine } from './engine';
import { showsPieceCounts } from './features';
import { receive, written } from './file';
import { Game, type Shown } from './game';
import { Graph } from './graph';
import { Back, Bulb, Chart, Down, Eye, Flag, Gear, Grid, Moon, Plus, Send, Silence, Sound, Sun, Turn } from './icons';
import { Judge, Warnings, consult, judged } from './judge';
import { Legend } from './legend';
import { loadPreference, savePreference } from './preferences';
import { gameTitle, sideNames, verdictText } from './names';
import { NewGame } from './newgame';
import { Record } from './record';
import { Settings } from './settings';
import { Setup } from './setup';
import { Share } from './share';
import { ErrorBanner } from './error-banner';
import { flagged, over, pace } from './shown';
import { LanguageContext, useMessage } from './language';
import { message } from './messages';

type Asking = 'new' | 'setup' | 'share' | 'settings' | undefined;
type Tab = 'moves' | 'engine' | 'graph';

/** The whole page: the board, how it stands, the moves, and what one can do. */
export function Page() {
  const board = useRef<AlfilBoard>(null);
  const [game] = useState(() => new Game());
  const [shown, setShown] = useState<Shown>(game.shown);
  const [asking, setAsking] = useState<Asking>();
  const [choices, setChoices] = useState<BoardTarget[]>([]);
  const [tab, setTab] = useState<Tab>('moves');
  const [theme, setTheme] = useState(loadPreference('theme', 'auto'));
  /** Whether the judge says something. */
  const [explained, setExplained] = useState(false);
  const ask = (what: Asking) => {
    game.calm();
    setAsking(what);
  };

  useEffect(() => game.attach(board.current, setShown), [game]);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    savePreference('theme', theme);
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = shown.language;
  }, [shown.language]);
  useEffect(() => {
    const element = board.current;
    const drop = (event: Event) => {
      // A file that is dropped has the same name.
      if (!(event instanceof CustomEvent)) return;
      const { targets } = event.detail as { targets: BoardTarget[] };
      if (targets.length > 1) setChoices(targets);
      else if (targets[0]) void game.play(targets[0]);
    };
    element?.addEventListener('drop', drop);
    return () => element?.removeEventListener('drop', drop);
  }, [game]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => step(event, game);
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [game]);

  useEffect(() => {
    const carries = (event: DragEvent, type: string) => event.dataTransfer?.types.includes(type) ?? false;
    // A field takes text that is dropped on it or pasted into it by itself; the document, too, may be a target.
    const field = (event: Event) => ((event.target as HTMLElement).closest?.('input, textarea') ?? null) !== null;
    const enter = async (text: string, bytes: boolean) => {
      // What is wrong with it stands on the page, or in a dialog that has a place for it.
      setAsking((open) => (open === 'share' || open === 'setup' ? open : undefined));
      if (await receive(game, text, bytes)) setAsking(undefined);
    };
    // A browser would leave the page for a file that is dropped on it, be it on a field.
    const over = (event: DragEvent) => {
      if (carries(event, 'Files') || (carries(event, 'text/plain') && !field(event))) event.preventDefault();
    };
    const drop = async (event: DragEvent) => {
      const file = event.dataTransfer?.files[0];
      const text = event.dataTransfer?.getData('text/plain') ?? '';
      if (!(file ?? text) || (!file && field(event))) return;
      event.preventDefault();
      await (file ? enter(...(await written(file))) : enter(text, false));
    };
    const paste = (event: ClipboardEvent) => {
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (text.trim() && !field(event)) void enter(text, false);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    window.addEventListener('paste', paste);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
      window.removeEventListener('paste', paste);
    };
  }, [game]);

  const { look, language } = shown;
  const close = () => ask(undefined);
  return (
    <LanguageContext.Provider value={language}>
      <div class="page" data-game={shown.game?.id} style={look && { '--shape': board.current?.shape }}>
        <Header game={game} shown={shown} theme={theme} onTheme={setTheme} onAsk={ask} />
        <main>
          <section class="play" aria-label={message(language, 'board', look ? gameTitle(look, language) : '')}>
            <Player game={game} shown={shown} top />
            <div class="table">
              <Balance game={game} shown={shown} />
              <alfil-board ref={board} />
            </div>
            <Player game={game} shown={shown} />
          </section>
          <aside data-tab={tab}>
            <Stand game={game} shown={shown} explained={explained} />
            <Warnings game={game} shown={shown} />
            {!asking && <ErrorBanner game={game} shown={shown} />}
            <Deeds game={game} shown={shown} />
            <Legend shown={shown} />
            <Judge game={game} shown={shown} onSpeak={setExplained} />
            <Tabs tab={tab} onTab={setTab} onSettings={() => ask('settings')} />
            <Engine game={game} shown={shown} />
            <section class="moves panel" aria-label={message(language, 'moves')}>
              <Record game={game} shown={shown} />
            </section>
            <Graph game={game} shown={shown} />
          </aside>
        </main>
        {asking === 'new' && (
          <NewGame
            games={shown.games}
            language={language}
            chosen={{ game: look?.game ?? '', person: game.person, level: shown.level, seconds: shown.seconds, clock: pace(shown) }}
            onStart={({ game: name, person, level, seconds, clock }) => {
              close();
              game.patience(seconds);
              void game.start(name, person, level, { clock });
            }}
            onClose={close}
          />
        )}
        {asking === 'setup' && <Setup game={game} shown={shown} onClose={close} />}
        {asking === 'share' && <Share game={game} shown={shown} onClose={close} />}
        {asking === 'settings' && (
          <Settings game={game} shown={shown} theme={theme} onTheme={setTheme} onClose={close} />
        )}
        {choices.length > 0 && look && (
          <Chooser
            look={boardAppearance(look, language)}
            targets={choices}
            pictures={shown.pictures}
            onChoose={(target) => {
              setChoices([]);
              if (target) void game.play(target);
            }}
          />
        )}
      </div>
    </LanguageContext.Provider>
  );
}

interface HeaderProps {
  game: Game;
  shown: Shown;
  theme: string;
  onTheme(theme: string): void;
  onAsk(asking: Asking): void;
}

function Header({ game, shown, theme, onTheme, onAsk }: HeaderProps) {
  const message = useMessage();
  const { look, language, muted } = shown;
  const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  return (
    <header>
      <h1>Alfil</h1>
      {look && (
        <button class="plain what" title={message('newGame')} onClick={() => onAsk('new')}>
          {gameTitle(look, language)}
          <Down />
        </button>
      )}
      <nav>
        <Tool word={message('newGame')} picture={<Plus />} onClick={() => onAsk('new')} />
        <Tool word={message('setUp')} picture={<Grid />} onClick={() => onAsk('setup')} />
        <Tool word={message('share')} picture={<Send />} onClick={() => onAsk('share')} />
        <button class="plain language" lang={language === 'en' ? 'zh' : 'en'} onClick={() => game.speak(language === 'en' ? 'zh' : 'en')}>
          {message('otherLanguage')}
        </button>
        <button class="plain icon quick" aria-pressed={muted} title={message(muted ? 'soundOff' : 'soundOn')} aria-label={message('mute')} onClick={() => game.mute(!muted)}>
          {muted ? <Silence /> : <Sound />}
        </button>
        <button class="plain icon quick" title={message(dark ? 'switchToLight' : 'switchToDark')} aria-label={message(dark ? 'switchToLight' : 'switchToDark')} onClick={() => onTheme(dark ? 'light' : 'dark')}>
          {dark ? <Sun /> : <Moon />}
        </button>
        <button class="plain icon wide" title={message('settings')} aria-label={message('settings')} onClick={() => onAsk('settings')}>
          <Gear />
        </button>
      </nav>
    </header>
  );
}

interface ToolProps {
  word: string;
  picture: ComponentChildren;
  onClick(): void;
}

/** A button that loses its word where there is no room for it. */
function Tool({ word, picture, onClick }: ToolProps) {
  return (
    <button class="plain tool" aria-label={word} title={word} onClick={onClick}>
      {picture}
      <span class="word">{word}</span>
    </button>
  );
}

/** How the game stands, in words, and the way to the judge where he has explained it. */
function Stand({ game, shown, explained }: { game: Game; shown: Shown; explained: boolean }) {
  const message = useMessage();
  const { position, connected, game: playing, look, level } = shown;
  const ended = over(shown);
  const state = ended ? 'ended' : position?.check ? 'checked' : '';
  return (
    <>
      <div class="stand">
        <p class={`status ${state}`} role="status" aria-live="polite">
          {connected ? status(shown) : message('connectionLost')}
        </p>
        <p class="said" aria-live="polite">
          {said(shown)}
        </p>
        {judged(shown) && explained && (
          <p class="help">
            <button class="link" onClick={consult}>
              {message('showRuling')}
            </button>
          </p>
        )}
        {isBack(shown) && !ended && (
          <p class="help">
            {game.mayMove() && `${message('earlierPositionHelp')} `}
            <button class="link" onClick={() => void game.go(shown.tree.line(shown.node).at(-1)?.node)}>
              {message('goToEnd')}
            </button>
          </p>
        )}
      </div>
      {ended && playing?.person !== null && (
        <button class="strong again" onClick={() => void game.start(look?.game ?? '', playing?.person ?? 0, level, { clock: pace(shown) })}>
          {message('playAgain')}
        </button>
      )}
    </>
  );
}

/** What the person can do about the game. */
function Deeds({ game, shown }: { game: Game; shown: Shown }) {
  const message = useMessage();
  const [sure, setSure] = useState(false);
  const { position, thinking, xray, game: playing } = shown;
  useEffect(() => setSure(false), [position]);
  const analysing = playing?.person === null;
  return (
    <div class="deeds main">
      <Deed word={message('takeBack')} picture={<Back />} disabled={!game.canTakeBack()} onClick={() => void game.takeBack()} />
      <Deed word={message('hint')} picture={<Bulb />} disabled={!game.mayMove() || thinking} onClick={() => void game.hint()} />
      <Deed word={message('flip')} picture={<Turn />} onClick={() => game.flip()} />
      <Deed word={message('xray')} picture={<Eye />} pressed={xray} title={message('xrayHelp')} onClick={() => game.xray(!xray)} />
      <Deed
        word={message(analysing ? 'playOn' : 'analyse')}
        picture={<Chart />}
        onClick={() => void game.seat(analysing ? (position?.side ?? 0) : null)}
      />
      <Deed
        word={message(sure ? 'confirmResign' : 'resign')}
        picture={<Flag />}
        disabled={analysing || over(shown)}
        onClick={() => (sure ? void game.resign() : setSure(true))}
      />
    </div>
  );
}

interface DeedProps {
  word: string;
  picture: ComponentChildren;
  disabled?: boolean;
  pressed?: boolean;
  title?: string;
  onClick(): void;
}

function Deed({ word, picture, disabled = false, pressed, title, onClick }: DeedProps) {
  return (
    <button class={pressed ? 'pressed' : ''} disabled={disabled} aria-pressed={pressed} title={title} onClick={onClick}>
      {picture}
      <span>{word}</span>
    </button>
  );
}

/** Which panel a phone shows, and the way to what is set rarely. */
function Tabs({ tab, onTab, onSettings }: { tab: Tab; onTab(tab: Tab): void; onSettings(): void }) {
  const message = useMessage();
  return (
    <div class="tabs" role="group">
      {(['moves', 'engine', 'graph'] as const).map((one) => (
        <button key={one} aria-pressed={one === tab} class={one === tab ? 'chosen' : ''} onClick={() => onTab(one)}>
          {message(one)}
        </button>
      ))}
      <button onClick={onSettings}>{message('settings')}</button>
    </div>
  );
}

function Player({ game, shown, top = false }: { game: Game; shown: Shown; top?: boolean }) {
  const message = useMessage();
  const { look, position, thinking, flipped, language, game: playing } = shown;
  const person = game.person;
  const below = person === 1 ? 1 : 0;
  const side = (top !== flipped ? 1 - below : below) as 0 | 1;
  const turn = position?.side === side && !over(shown);
  const name = look ? sideNames(look, language)[side] : '';
  const who = person === null ? '' : side === person ? message('you') : message('computer', playing?.level ?? 0);
  return (
    <p class={`player ${turn ? 'turn' : ''}`}>
      <span class={`dot ${look?.sides[side].toLowerCase() ?? ''}`} aria-hidden="true" />
      <b>{name}</b>
      <span>{who}</span>
      {turn && thinking && <span class="thinking">{message('thinking')}</span>}
      <span class="tally">{look && showsPieceCounts(look) ? position?.tally[side] : ''}</span>
      <Clock shown={shown} side={side} name={name} />
    </p>
  );
}

/** The last move, as one would say it. */
function said({ look, position, tree, node, language, game }: Shown): string {
  const move = tree.at(node);
  if (!look || !position || !move || node === 0) return '';
  const side = (1 - position.side) as 0 | 1;
  const name = sideNames(look, language)[side];
  // A pass leaves no square behind.
  if (position.last.length === 0) return message(language, 'sidePassed', name);
  const words = side === game?.person ? message(language, 'youPlayed', move.label) : message(language, 'sidePlayed', name, move.label);
  return position.occurrences > 1 ? message(language, 'repeated', words, position.occurrences) : words;
}

/** Whether a game that is played stands elsewhere than at its end. */
function isBack({ game, tree, node }: Shown): boolean {
  return game !== undefined && game.person !== null && tree.children(node).length > 0;
}

function status(shown: Shown): string {
  const { position, game, look, thinking, queued, passing, language } = shown;
  if (!position || !look || !game) return message(language, 'loadingGame');
  const names = sideNames(look, language);
  if (position.ending) return verdictText(position.ending, language);
  if (game.resigned !== null) return message(language, 'resigned', names[game.resigned], names[1 - game.resigned] ?? '');
  const late = flagged(shown);
  if (late !== null) return message(language, position.clock?.drawn ? 'timeForfeitDrawn' : 'timeForfeit', names[late], names[1 - late] ?? '');
  if (passing) return message(language, 'youPass');
  const check = position.check ? message(language, 'check') : '';
  if (thinking) return check + message(language, queued ? 'searchQueued' : 'computerThinking');
  if (isBack(shown)) return message(language, 'earlierPosition');
  if (position.side === game.person) return check + message(language, 'yourMove');
  return check + message(language, 'sideToMove', names[position.side]);
}

/** The arrow keys step through the moves, wherever they mean nothing else. */
function step(event: KeyboardEvent, game: Game): void {
  const target = event.target as HTMLElement;
  const busy = target.closest?.('alfil-board, input, select, textarea, dialog') ?? null;
  if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
  const { tree, node } = game.shown;
  const line = tree.line(node);
  const at = line.findIndex((one) => one.node === node);
  const siblings = tree.children(tree.at(node)?.parent ?? 0);
  const beside = (by: number) => siblings[siblings.indexOf(node) + by];
  const to: { [key: string]: number | undefined } = {
    ArrowLeft: line[at - 1]?.node,
    ArrowRight: line[at + 1]?.node,
    ArrowUp: node === 0 ? undefined : beside(-1),
    ArrowDown: node === 0 ? undefined : beside(1),
    Home: line[0]?.node,
    End: line.at(-1)?.node,
  };
  if (!(event.key in to)) return;
  event.preventDefault();
  void game.go(to[event.key]);
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'alfil-board': HTMLAttributes<AlfilBoard>;
    }
  }
}
