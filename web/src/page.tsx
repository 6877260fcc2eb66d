import { useEffect, useRef, useState } from 'preact/hooks';
import { boardAppearance } from './board-data';
import type { AlfilBoard } from '../board/src/element';
import type {} from '../board/src/preact';
import type { BoardTarget, DrawnShape, RefuseDetail } from '../board/src/types';
import { watchDialogEntries } from './dialog-entries';
import { EnginePanel } from './engine-panel';
import { ErrorBanner, StorageBanner } from './error-banner';
import { EvalBar } from './eval-bar';
import { keepFocus } from './focus-keeper';
import { GameActions } from './game-actions';
import { GameClient } from './game-client';
import { GameStatus } from './game-status';
import { type DialogName, Header } from './header';
import { JudgePanel, RefusedMoves, RuleWarnings } from './judge-panel';
import { handleKey, wheelHandler } from './keyboard';
import { LanguageContext, useMessage } from './language';
import { DetailsDialog, KeysDialog, LessonsDialog, LibraryView, NewGameDialog, QuizDialog, SettingsDialog, SetupDialog, ShareDialog } from './lazy-parts';
import { message } from './messages';
import { MoveChooser } from './move-chooser';
import { MovesPanel } from './moves-panel';
import { gameTitle } from './names';
import { NoticeBar } from './notice-bar';
import { PicturesOffer } from './pictures-offer';
import { PlayerBar } from './player-bar';
import { loadPreference, savePreference } from './preferences';
import { ScoreGraph } from './score-graph';
import { importFile, importText } from './text-import';
import { type UiState, currentTimeControl } from './ui-state';
import { useTextDrop } from './use-text-drop';
import { XrayLegend } from './xray-legend';

type Tab = 'moves' | 'engine' | 'graph';

/** The whole page. */
export function Page() {
  const board = useRef<AlfilBoard>(null);
  const [client] = useState(() => new GameClient());
  const [state, setState] = useState<UiState>(client.state);
  const [dialog, setDialog] = useState<DialogName>();
  /** The moves between the same squares from which the user has to choose. */
  const [choices, setChoices] = useState<BoardTarget[]>([]);
  const [tab, setTab] = useState<Tab>('moves');
  const [theme, setTheme] = useState(loadPreference('theme', 'auto'));
  /** Whether the judge panel shows a ruling. */
  const [hasRuling, setHasRuling] = useState(false);
  /** The game of the quiz that is shown. */
  const [quizGame, setQuizGame] = useState<string>();
  const { appearance, language } = state;
  const switchDialog = (name: DialogName | undefined) => {
    client.clearError();
    setDialog(name);
  };
  const closeDialog = () => switchDialog(undefined);

  useEffect(() => client.attach(board.current, setState), [client]);
  useEffect(keepFocus, []);
  useEffect(watchDialogEntries, []);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    savePreference('theme', theme);
  }, [theme]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    // The chapter of the book leads to the quiz of a game by an address.
    const openQuiz = () => {
      const game = /^#quiz\/([a-z]+)$/.exec(location.hash)?.[1];
      if (game === undefined) return;
      history.replaceState(null, '', '#');
      setQuizGame(game);
      switchDialog('quiz');
    };
    openQuiz();
    window.addEventListener('hashchange', openQuiz);
    return () => window.removeEventListener('hashchange', openQuiz);
  }, []);
  useEffect(() => {
    if (state.libraryRequest) switchDialog('library');
  }, [state.libraryRequest]);
  useEffect(() => {
    const element = board.current;
    const onDrop = (event: Event) => {
      // The drop of a file is an event with the same name.
      if (!(event instanceof CustomEvent)) return;
      const { targets } = event.detail as { targets: BoardTarget[] };
      if (client.premoves.isOpen) client.premoves.set(targets);
      else if (targets.length > 1) setChoices(targets);
      else if (targets[0]) void client.playMove(targets[0]);
    };
    const onRefuse = ({ detail }: CustomEvent<RefuseDetail>) => client.update({ refusedMove: detail.target.text });
    // A click that makes no move cancels the premove.
    const onPress = () => client.premoves.cancel();
    element?.addEventListener('drop', onDrop);
    element?.addEventListener('refuse', onRefuse);
    element?.addEventListener('pointerdown', onPress);
    return () => {
      element?.removeEventListener('drop', onDrop);
      element?.removeEventListener('refuse', onRefuse);
      element?.removeEventListener('pointerdown', onPress);
    };
  }, [client]);
  useEffect(() => {
    const element = board.current;
    const onKeyDown = (event: KeyboardEvent) => handleKey(event, client, () => setDialog('keys'));
    const onDraw = (event: CustomEvent<DrawnShape>) => void client.edits.toggleShape(event.detail);
    const onWheel = wheelHandler(client);
    window.addEventListener('keydown', onKeyDown);
    element?.addEventListener('draw', onDraw);
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      element?.removeEventListener('draw', onDraw);
      element?.removeEventListener('wheel', onWheel);
    };
  }, [client]);
  useTextDrop((content) => {
    const refusal = client.importMessage;
    // An error is shown on the page, or in one of the dialogs that have an error banner.
    setDialog((open) => (open === 'share' || open === 'setup' || (refusal && open === 'library') ? open : undefined));
    if (refusal) return client.update({ standaloneError: refusal });
    const opened = typeof content === 'string' ? importText(client, content) : importFile(client, content);
    void opened.then((done) => done && !client.state.libraryRequest && setDialog(undefined));
  });

  return (
    <LanguageContext.Provider value={language}>
      <div class="page" data-game={state.game?.id} style={appearance && { '--shape': board.current?.shape }}>
        <Header client={client} state={state} theme={theme} onTheme={setTheme} onOpenDialog={switchDialog} />
        <main>
          <section
            class="play"
            aria-label={message(language, 'board', appearance ? gameTitle(appearance, language) : '')}
          >
            <PlayerBar client={client} state={state} top />
            <div class="board-area">
              <EvalBar state={state} />
              <alfil-board ref={board} />
            </div>
            <PlayerBar client={client} state={state} />
          </section>
          <aside data-tab={tab}>
            <div class="panels">
              <GameStatus
                client={client}
                state={state}
                hasRuling={hasRuling}
                onExplainEnd={() => switchDialog('lessons')}
              />
              <PicturesOffer client={client} state={state} />
              <RuleWarnings client={client} state={state} />
              <RefusedMoves client={client} state={state} />
              <StorageBanner client={client} state={state} />
              {!dialog && <ErrorBanner client={client} state={state} />}
              {!dialog && <NoticeBar client={client} state={state} />}
              <GameActions client={client} state={state} />
              <XrayLegend state={state} />
              <JudgePanel key={`${state.game?.id} ${state.game?.ruleset}`} client={client} state={state} onRulingChange={setHasRuling} />
              <Tabs tab={tab} onTab={setTab} onSettings={() => switchDialog('settings')} />
              <EnginePanel client={client} state={state} />
              <div class="game-panels">
                <section class="moves panel" aria-label={message(language, 'moves')}>
                  <MovesPanel
                    client={client}
                    state={state}
                    onEditDetails={() => switchDialog('details')}
                    onLessons={() => switchDialog('lessons')}
                  />
                </section>
                <ScoreGraph client={client} state={state} />
              </div>
            </div>
          </aside>
        </main>
        {dialog === 'new' && (
          <NewGameDialog
            client={client}
            games={state.games}
            language={language}
            initial={{
              game: appearance?.game ?? '',
              userSide: client.userSide,
              twoPeople: state.game?.two_people ?? false,
              watchedLevels: state.game?.levels,
              opponent: state.game?.engine,
              level: state.level,
              replySeconds: state.replySeconds,
              timeControl: currentTimeControl(state),
            }}
            onStart={({ game, userSide, twoPeople, watchedLevels, opponent, fen, waive, ...options }) => {
              closeDialog();
              client.display.setReplySeconds(options.replySeconds);
              const start = { clock: options.timeControl, two_people: twoPeople, engine: opponent, fen, waive };
              if (watchedLevels) void client.watch.start(game, watchedLevels, { fen, waive });
              else void client.startGame(game, userSide, options.level, start);
            }}
            onClose={closeDialog}
          />
        )}
        {dialog === 'setup' && <SetupDialog client={client} state={state} onClose={closeDialog} />}
        {dialog === 'share' && (
          <ShareDialog client={client} state={state} onOpenLibrary={() => switchDialog('library')} onClose={closeDialog} />
        )}
        {dialog === 'library' && <LibraryView client={client} state={state} onClose={closeDialog} />}
        {dialog === 'details' && state.game && (
          <DetailsDialog
            client={client}
            state={state}
            tags={state.game.tags}
            game={appearance}
            onSave={(tags) => client.edits.setTags(tags)}
            onClose={closeDialog}
          />
        )}
        {dialog === 'lessons' && (
          <LessonsDialog
            client={client}
            state={state}
            cause={state.position?.ending?.cause}
            onKeys={() => switchDialog('keys')}
            onQuiz={() => {
              setQuizGame(appearance?.game);
              switchDialog('quiz');
            }}
            onClose={closeDialog}
          />
        )}
        {dialog === 'quiz' && quizGame && <QuizDialog game={quizGame} client={client} state={state} onClose={closeDialog} />}
        {dialog === 'keys' && <KeysDialog client={client} onClose={closeDialog} />}
        {dialog === 'settings' && (
          <SettingsDialog
            {...{ client, state, theme }}
            onTheme={setTheme}
            onHelp={switchDialog}
            onClose={closeDialog}
          />
        )}
        {choices.length > 0 && appearance && (
          <MoveChooser
            appearance={boardAppearance(appearance, language)}
            targets={choices}
            pictures={state.pictures}
            onChoose={(target) => {
              setChoices([]);
              if (target) void client.playMove(target);
            }}
          />
        )}
      </div>
    </LanguageContext.Provider>
  );
}

/** The tabs of a narrow screen, which shows one panel at a time, and a button for the settings. */
function Tabs({ tab, onTab, onSettings }: { tab: Tab; onTab(tab: Tab): void; onSettings(): void }) {
  const message = useMessage();
  return (
    <div class="tabs" role="group">
      {(['moves', 'engine', 'graph'] as const).map((name) => (
        <button
          key={name}
          aria-pressed={name === tab}
          class={name === tab ? 'selected' : ''}
          onClick={() => onTab(name)}
        >
          {message(name === 'graph' ? 'reviewTab' : name)}
        </button>
      ))}
      <button onClick={onSettings}>{message('settings')}</button>
    </div>
  );
}
