import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AlfilBoard } from '../board/src/element';
import type {} from '../board/src/preact';
import type { BoardTarget } from '../board/src/types';
import { boardAppearance, boardMessages } from './board-data';
import type { GameClient } from './game-client';
import { LanguageContext, useMessage } from './language';
import type { Language } from './messages';
import { useModalDialog } from './modal-dialog';
import type { EndLessonDto, LessonDto } from './wire/types';
import type { UiState } from './ui-state';

/** How long each shown move stays on the board, in milliseconds. */
const SHOWN_MS = 900;

const TEXTS: Record<Language, Record<'steps' | 'show' | 'stop' | 'goes' | 'places' | 'none' | 'over' | 'keys' | 'quiz' | 'book', string>> = {
  en: {
    steps: 'Steps',
    show: 'Show the moves',
    stop: 'Stop',
    goes: 'From {0} it can go to: {1}.',
    places: 'A disc can be put on: {0}.',
    none: 'Nothing has to move here.',
    over: 'Why the game is over',
    keys: 'Keys and gestures',
    quiz: 'Quiz: who must change?',
    book: 'Rules, reviews and more in the book',
  },
  zh: {
    steps: '步骤',
    show: '演示走法',
    stop: '停止',
    goes: '从 {0} 可以走到：{1}。',
    places: '可以落子于：{0}。',
    none: '此处无需走子。',
    over: '对局为何结束',
    keys: '按键与手势',
    quiz: '测验：谁应变着？',
    book: '规则、复盘等，详见手册',
  },
};

interface Props {
  client: GameClient;
  state: UiState;
  /** The cause of the end of the open game, which is explained. */
  cause?: string;
  onKeys(): void;
  onQuiz(): void;
  onClose(): void;
}

/** The introduction to the open game: how the pieces move, which the board plays, and why the game is over. */
export function LessonsDialog({ client, state, cause, onKeys, onQuiz, onClose }: Props) {
  const message = useMessage();
  const language = useContext(LanguageContext);
  const texts = TEXTS[language];
  const dialog = useModalDialog(onClose);
  const board = useRef<AlfilBoard>(null);
  const [lessons, setLessons] = useState<LessonDto[]>([]);
  const [ends, setEnds] = useState<EndLessonDto[]>([]);
  const [index, setIndex] = useState(0);
  const [playing, setPlaying] = useState(false);
  const appearance = useMemo(
    () => state.appearance && boardAppearance(state.appearance, language),
    [state.appearance, language],
  );
  const lesson = lessons[index];
  /** The timer after which the shown move is taken back. */
  const resetTimer = useRef<ReturnType<typeof setTimeout>>();
  const end = ends.find((one) => one.cause === cause);
  useEffect(() => {
    const game = state.appearance?.game;
    if (game === undefined) return;
    void client.request({ do: 'lessons', game }).then((response) => {
      setLessons(response?.lessons ?? []);
      setEnds(response?.ends ?? []);
    });
  }, []);
  const reset = () => {
    // A move of the former lesson would be taken back in this one.
    clearTimeout(resetTimer.current);
    const element = board.current;
    if (!element || !lesson) return;
    element.pieces = lesson.pieces;
    element.targets = lesson.targets;
    element.last = [];
  };
  useLayoutEffect(() => {
    const element = board.current;
    if (!element || !appearance) return;
    element.look = appearance;
    element.words = boardMessages(language);
    element.pictures = state.pictures;
    element.showsMoves = true;
    reset();
  }, [appearance, lesson, state.pictures]);
  useLayoutEffect(() => {
    const element = board.current;
    const onDrop = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      setPlaying(false);
      const [target] = (event.detail as { targets: BoardTarget[] }).targets;
      if (target) play(target);
    };
    element?.addEventListener('drop', onDrop);
    return () => element?.removeEventListener('drop', onDrop);
  }, [lesson]);
  const play = (target: BoardTarget) => {
    reset();
    board.current?.play(target.script);
    resetTimer.current = setTimeout(reset, SHOWN_MS);
  };
  useEffect(() => {
    if (!playing || !lesson) return;
    let next = 0;
    const step = () => {
      const target = lesson.targets[next++];
      if (target) play(target);
      else setPlaying(false);
    };
    step();
    const timer = setInterval(step, SHOWN_MS + 250);
    return () => clearInterval(timer);
  }, [playing, lesson]);
  return (
    <dialog class="lessons" ref={dialog} onClose={onClose} aria-label={message('lessons')}>
      <form method="dialog">
        <h2>{message('lessons')}</h2>
        {end && (
          <section class="end-lesson">
            <h3>{texts.over}</h3>
            <p>{language === 'zh' ? end.text_zh : end.text}</p>
          </section>
        )}
        <div class="lesson">
          <div class="steps" role="group" aria-label={texts.steps}>
            {lessons.map((one, i) => (
              <button
                type="button"
                key={one.title}
                class={`small ${i === index ? 'pressed' : ''}`}
                aria-pressed={i === index}
                onClick={() => {
                  setPlaying(false);
                  setIndex(i);
                }}
              >
                {language === 'zh' ? one.title_zh : one.title}
              </button>
            ))}
          </div>
          <alfil-board ref={board} style={{ '--shape': board.current?.shape ?? 0.907 }} />
          {lesson && (
            <div class="lesson-text" aria-live="polite">
              <p>{language === 'zh' ? lesson.text_zh : lesson.text}</p>
              <p class="help">{movesText(lesson, texts)}</p>
              <button
                type="button"
                class="small"
                disabled={lesson.targets.length === 0}
                onClick={() => setPlaying(!playing)}
              >
                {playing ? texts.stop : texts.show}
              </button>
            </div>
          )}
        </div>
        {/* The server and the page without one have the book beside the page. */}
        <p class="help">
          <a href={language === 'zh' ? 'book/zh/' : 'book/'} target="_blank" style={{ color: 'inherit' }}>
            {texts.book}
          </a>
        </p>
        <div class="actions">
          <button type="button" onClick={onKeys}>
            {texts.keys}
          </button>
          {Boolean(state.game?.rulesets.length) && (
            <button type="button" onClick={onQuiz}>
              {texts.quiz}
            </button>
          )}
          <button class="primary" type="submit">
            {message('close')}
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** Returns where the piece of a lesson can go, in words. */
function movesText({ square, targets }: LessonDto, texts: (typeof TEXTS)[Language]): string {
  const squares = [...new Set(targets.map(({ to }) => to))].sort().join(', ');
  if (targets.length === 0) return texts.none;
  return square ? texts.goes.replace('{0}', square).replace('{1}', squares) : texts.places.replace('{0}', squares);
}
