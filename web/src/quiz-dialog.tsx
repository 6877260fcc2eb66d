import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AlfilBoard } from '../board/src/element';
import type {} from '../board/src/preact';
import { RULING_TEXTS } from './authority-table';
import { boardAppearance, boardMessages } from './board-data';
import type { GameClient } from './game-client';
import { MOVE_CLASSES } from './judge-panel';
import { LanguageContext, useMessage } from './language';
import { type Language, withValues } from './messages';
import { useModalDialog } from './modal-dialog';
import { gameTitle, sideNames } from './names';
import type { AppearanceDto, QuizLoopDto, Side } from './wire/types';
import type { UiState } from './ui-state';

/** The time between two moves that are shown, in milliseconds. */
const MOVE_MS = 900;
/** How often the moves of a repetition are shown. */
const SHOWN_ROUNDS = 2;

type TextKey =
  | 'title' | 'progress' | 'task' | 'show' | 'stop' | 'neither' | 'right' | 'wrong' | 'sideChanges' | 'neitherChanges'
  | 'next' | 'finish' | 'score' | 'missed' | 'again' | 'chapter' | 'loading';

const TEXTS: Record<Language, Record<TextKey, string>> = {
  en: {
    title: 'Who must change?',
    progress: 'Repetition {0} of {1}',
    task: '{0}. These moves repeat: {1}.',
    show: 'Show the moves',
    stop: 'Stop',
    neither: 'Neither',
    right: 'Right.',
    wrong: 'Not so.',
    sideChanges: '{0} must change.',
    neitherChanges: 'Neither has to change: a draw.',
    next: 'Next',
    finish: 'To the score',
    score: 'You answered {0} of {1} correctly.',
    missed: 'To look at again: {0}',
    again: 'Begin again',
    chapter: 'Check, chase, exchange, block, offer: the chapter in the book',
    loading: 'One moment …',
  },
  zh: {
    title: '谁应变着？',
    progress: '第 {0} 题，共 {1} 题',
    task: '{0}。以下着法循环：{1}。',
    show: '演示走法',
    stop: '停止',
    neither: '双方均可不变',
    right: '正确。',
    wrong: '不对。',
    sideChanges: '{0}应变着。',
    neitherChanges: '双方均可不变，判和。',
    next: '下一题',
    finish: '看成绩',
    score: '答对 {0} 题，共 {1} 题。',
    missed: '再看一遍：{0}',
    again: '重新开始',
    chapter: '将、捉、兑、拦、献：手册中的一章',
    loading: '请稍候……',
  },
};

interface Props {
  client: GameClient;
  state: UiState;
  /** The game whose repetitions are shown. */
  game: string;
  onClose(): void;
}

/** The quiz on repetitions: who must change? After each answer the article, at the end the score. */
export function QuizDialog({ client, state, game, onClose }: Props) {
  const message = useMessage();
  const language = useContext(LanguageContext);
  const texts = TEXTS[language];
  const dialog = useModalDialog(onClose);
  const [loops, setLoops] = useState<QuizLoopDto[]>([]);
  const [look, setLook] = useState<AppearanceDto>();
  const [index, setIndex] = useState(0);
  /** The answers in the order of the repetitions; null for neither side. */
  const [answers, setAnswers] = useState<(Side | null)[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  /** The dialect of the open game; another game has that of the language. */
  const dialect = state.appearance?.game === game ? state.game?.dialect : undefined;
  const isReady = state.connected && state.games.length > 0;
  useEffect(() => {
    if (!isReady) return;
    let isShown = true;
    void client.request({ do: 'quiz', game, dialect, chinese: language === 'zh' }).then((response) => {
      if (!isShown || !response?.quiz || !response.look) return;
      setLoops(response.quiz);
      setLook(response.look);
    });
    return () => void (isShown = false);
  }, [isReady, game, dialect, language]);
  const goTo = (next: number) => {
    setIndex(next);
    heading.current?.focus();
  };
  const names = look ? sideNames(look, language) : ['', ''];
  const nameOf = (side: Side | null) => (side === null ? texts.neither : (names[side] ?? ''));
  const loop = loops[index];
  const answer = answers[index];
  const missed = loops.flatMap(({ ruling }, i) => (answers[i] === ruling.must_change ? [] : [i]));
  const isOver = loops.length > 0 && index === loops.length;
  return (
    <dialog class="lessons quiz" ref={dialog} onClose={onClose} aria-label={texts.title}>
      <form method="dialog">
        <h2>{texts.title}</h2>
        {loops.length === 0 && <p class="help">{texts.loading}</p>}
        {loop && look && (
          <div class="lesson">
            <div class="steps">
              <h3 ref={heading} tabIndex={-1}>
                {withValues(texts.progress, [index + 1, loops.length])}
              </h3>
            </div>
            <LoopBoard loop={loop} look={look} dialect={dialect} pictures={state.pictures} isAnswered={answer !== undefined} />
            <div class="lesson-text">
              <p>
                {withValues(texts.task, [gameTitle(loop.ruling, language), loop.moves.map(({ label }) => label).join(' ')])}
              </p>
              <div class="quiz-answers" role="group" aria-label={texts.title}>
                {([0, 1, null] as const).map((side) => (
                  <button
                    type="button"
                    key={side}
                    disabled={answer !== undefined}
                    aria-pressed={answer === side}
                    class={answer === side ? 'pressed' : ''}
                    onClick={() => setAnswers([...answers.slice(0, index), side])}
                  >
                    {nameOf(side)}
                  </button>
                ))}
              </div>
              <div aria-live="polite">
                {answer !== undefined && (
                  <>
                    <p class="verdict">
                      {answer === loop.ruling.must_change ? texts.right : texts.wrong}{' '}
                      {loop.ruling.must_change === null
                        ? texts.neitherChanges
                        : withValues(texts.sideChanges, [nameOf(loop.ruling.must_change)])}
                    </p>
                    <p>{language === 'zh' ? loop.text_zh : loop.text}</p>
                    <p class="help">{loop.ruling.reason}</p>
                    <ol class="quiz-moves">
                      {loop.moves.map(({ label, nature }, i) => (
                        <li key={i}>
                          {label} <small>{message(MOVE_CLASSES[nature])}</small>
                        </li>
                      ))}
                    </ol>
                    <p class="help">
                      {RULING_TEXTS[language].articles}: {loop.ruling.articles.join(', ')}
                    </p>
                  </>
                )}
              </div>
            </div>
          </div>
        )}
        {isOver && (
          <div aria-live="polite">
            <h3 ref={heading} tabIndex={-1}>
              {withValues(texts.score, [loops.length - missed.length, loops.length])}
            </h3>
            {missed.length > 0 && <p>{withValues(texts.missed, [missed.map((i) => i + 1).join(', ')])}</p>}
          </div>
        )}
        <p class="help">
          <a
            href={language === 'zh' ? 'book/zh/play/repetitions.html' : 'book/play/repetitions.html'}
            target="_blank"
            style={{ color: 'inherit' }}
          >
            {texts.chapter}
          </a>
        </p>
        <div class="actions">
          {loop && answer !== undefined && (
            <button type="button" class="primary" onClick={() => goTo(index + 1)}>
              {index + 1 < loops.length ? texts.next : texts.finish}
            </button>
          )}
          {isOver && (
            <button
              type="button"
              onClick={() => {
                setAnswers([]);
                goTo(0);
              }}
            >
              {texts.again}
            </button>
          )}
          <button type="submit">{message('close')}</button>
        </div>
      </form>
    </dialog>
  );
}

interface LoopBoardProps {
  loop: QuizLoopDto;
  look: AppearanceDto;
  dialect: string | undefined;
  pictures: boolean;
  /** Whether the question is answered: the moves that are shown stop. */
  isAnswered: boolean;
}

/** The board of a repetition, with a button that shows its moves. */
function LoopBoard({ loop, look, dialect, pictures, isAnswered }: LoopBoardProps) {
  const language = useContext(LanguageContext);
  const texts = TEXTS[language];
  const board = useRef<AlfilBoard>(null);
  const [playing, setPlaying] = useState(false);
  const appearance = useMemo(() => boardAppearance(look, language, dialect), [look, language, dialect]);
  const reset = () => {
    if (!board.current) return;
    board.current.pieces = loop.pieces;
    board.current.last = [];
  };
  useLayoutEffect(() => {
    const element = board.current;
    if (!element) return;
    element.look = appearance;
    element.words = boardMessages(language);
    element.pictures = pictures;
    reset();
  }, [appearance, pictures]);
  useLayoutEffect(() => {
    setPlaying(false);
    reset();
  }, [loop.pieces]);
  useEffect(() => {
    if (isAnswered) setPlaying(false);
  }, [isAnswered]);
  useEffect(() => {
    if (!playing) return;
    let next = 0;
    const step = () => {
      const { moves } = loop;
      const shown = next++ < SHOWN_ROUNDS * moves.length ? moves[(next - 1) % moves.length] : undefined;
      if (!shown || !board.current) return setPlaying(false);
      board.current.play(shown.step.script);
      board.current.last = [...new Set(shown.step.script.map(({ square }) => square))];
    };
    step();
    const timer = setInterval(step, MOVE_MS);
    return () => {
      clearInterval(timer);
      reset();
    };
  }, [playing]);
  return (
    <div class="quiz-board">
      <alfil-board ref={board} style={{ '--shape': board.current?.shape ?? 0.907 }} />
      <button type="button" class="small" onClick={() => setPlaying(!playing)}>
        {playing ? texts.stop : texts.show}
      </button>
    </div>
  );
}
