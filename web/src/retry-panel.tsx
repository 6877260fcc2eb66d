import { useContext, useEffect, useRef } from 'preact/hooks';
import { usesKeyboard } from './focus-keeper';
import type { GameClient } from './game-client';
import { LanguageContext } from './language';
import { sideNames } from './names';
import { pressable } from './pressable';
import type { ReviewDto } from './wire/types';
import { useLaterMessage } from './later-messages';
import { moveWithNumber, percent } from './review-summary';
import type { Retry, UiState } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  retry: Retry;
  review: ReviewDto;
}

/** The mistake that the user tries to improve: the task, the judgement, hints and the way to the next mistake. */
export function RetryPanel({ client, state, retry, review }: Props) {
  const laterText = useLaterMessage();
  const { reviews } = client;
  const panel = useRef<HTMLDivElement>(null);
  // The button that started the retry is gone, so the focus moves to this panel, or to where the keyboard needs it.
  useEffect(() => {
    if (!usesKeyboard()) panel.current?.focus();
  }, []);
  useEffect(() => {
    if (!usesKeyboard()) return;
    if (retry.stage === 'open') client.focusBoard();
    else if (retry.stage === 'right' || retry.stage === 'solved') panel.current?.querySelector<HTMLElement>('.primary')?.focus();
  }, [retry.stage, retry.index, retry.hints]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && document.activeElement?.matches('.play alfil-board')) {
        panel.current?.querySelector<HTMLElement>('button')?.focus();
      }
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  const isOpen = retry.stage === 'open' || retry.stage === 'wrong';
  const isLast = retry.index === retry.mistakes.length - 1;
  const isSolved = retry.stage === 'right' || retry.stage === 'solved';
  return (
    <div class="retry" ref={panel} tabIndex={-1}>
      <p class={`retry-task ${retry.stage}`} role="status">
        <Task state={state} retry={retry} review={review} />
      </p>
      <div class="toolbar">
        {isOpen && (
          <>
            <button class="small" {...pressable(retry.hints < 2, () => reviews.giveHint())}>
              {laterText('retryHint')}
            </button>
            <button class="small" onClick={() => reviews.showSolution()}>
              {laterText('retrySolve')}
            </button>
          </>
        )}
        <button
          class={`small ${isSolved ? 'primary' : ''}`}
          {...pressable(retry.stage !== 'judging', () => void reviews.nextMistake())}
        >
          {laterText(isLast ? 'retryFinish' : 'retryNext')}
        </button>
        {!isLast && (
          <button class="small" onClick={() => reviews.endRetry()}>
            {laterText('retryStop')}
          </button>
        )}
      </div>
    </div>
  );
}

/** What is to be done, or what was found about the tried move, in a sentence. */
function Task({ state, retry, review }: Omit<Props, 'client'>) {
  const language = useContext(LanguageContext);
  const laterText = useLaterMessage();
  const mistake = retry.mistakes[retry.index] ?? 0;
  const move = review.moves.find(({ node }) => node === mistake);
  const best = move?.best_label ?? move?.best ?? '';
  const { trial } = retry;
  switch (retry.stage) {
    case 'judging':
      return <>{laterText('retryJudging')}</>;
    case 'right':
      return <>{trial?.best ? laterText('retryRight', trial.label) : laterText('retryGood', trial?.label ?? '', best)}</>;
    case 'wrong':
      return <>{laterText('retryWrong', trial?.label ?? '', percent(trial?.loss ?? 0))}</>;
    case 'solved':
      return <>{laterText('retrySolution', best)}</>;
    case 'open': {
      const { appearance, tree } = state;
      const name = appearance ? sideNames(appearance, language)[move?.side ?? 0] : '';
      const played = moveWithNumber(tree, mistake, state.game ?? { first: 0, number: 1 });
      const hints = ['', laterText('hintPiece'), laterText('hintSquare')][retry.hints];
      return <>{`${laterText('retryTask', retry.index + 1, retry.mistakes.length, name, played)} ${hints}`}</>;
    }
  }
}
