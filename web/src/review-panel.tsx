import { useContext, useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { LanguageContext, useMessage } from './language';
import { PrintDialog } from './lazy-parts';
import { MARK_SIGNS } from './marks';
import { pageLocale, sideNames } from './names';
import { pressable } from './pressable';
import type { ReviewDto, Side } from './wire/types';
import { RetryPanel } from './retry-panel';
import { useLaterMessage } from './later-messages';
import style from './review.css?inline';
import { summarySentences, turningPoints, turningSentence } from './review-summary';
import type { UiState } from './ui-state';
import { useStyle } from './use-style';

const MARKS = ['inaccuracy', 'mistake', 'blunder', 'only_move'] as const;

interface Props {
  client: GameClient;
  state: UiState;
}

/** The review of the game: its progress, its result in words and numbers, and the mistakes to retry. */
export function ReviewPanel({ client, state }: Props) {
  const { review, reviewedPositions, retry } = state;
  useStyle(style);
  return (
    <div class="review">
      {reviewedPositions !== undefined && <Progress client={client} state={state} count={reviewedPositions} />}
      {reviewedPositions === undefined && review && (
        <>
          <Phases review={review} />
          {retry ? (
            <RetryPanel client={client} state={state} retry={retry} review={review} />
          ) : (
            <Result key={state.game?.id} client={client} state={state} review={review} />
          )}
        </>
      )}
    </div>
  );
}

/** The number of the positions that the running review has searched. */
function Progress({ client, state, count }: Props & { count: number }) {
  const message = useMessage();
  const laterText = useLaterMessage();
  return (
    <div class="toolbar">
      <span class="search-info" role="status">
        {laterText('reviewing', count, state.tree.lineThrough(0).length)}
      </span>
      <button class="small" onClick={() => void client.reviews.stop()}>
        {message('stop')}
      </button>
    </div>
  );
}

/** The names of the phases under the graph, each as wide as its part of the game. */
function Phases({ review }: { review: ReviewDto }) {
  const laterText = useLaterMessage();
  const parts: { phase: ReviewDto['moves'][number]['phase']; plies: number }[] = [];
  for (const { phase } of review.moves) {
    const last = parts.at(-1);
    if (last?.phase === phase) last.plies++;
    else parts.push({ phase, plies: 1 });
  }
  return (
    <p class="phases" aria-label={laterText('phases')}>
      {parts.map(({ phase, plies }) => (
        <span key={phase} style={{ flexGrow: plies }}>
          {laterText(phase)}
        </span>
      ))}
    </p>
  );
}

/** The result of the review, and what can be done with it. */
function Result({ client, state, review }: Props & { review: ReviewDto }) {
  const language = useContext(LanguageContext);
  const message = useMessage();
  const laterText = useLaterMessage();
  const [side, setSide] = useState<Side | 'both'>(client.userSide ?? 'both');
  const [printing, setPrinting] = useState(false);
  const { appearance, tree } = state;
  const origin = state.game ?? { first: 0, number: 1 };
  const names: [string, string] = appearance ? sideNames(appearance, language) : ['', ''];
  const mistakes = client.reviews.mistakes(side);
  const words = { review, tree, origin, names, language };
  return (
    <>
      <div class="toolbar">
        <button class="small primary" {...pressable(mistakes.length > 0, () => void client.reviews.retry(mistakes))}>
          {laterText('retryMistakes')}
        </button>
        <select
          aria-label={laterText('retryOf')}
          value={String(side)}
          onChange={({ currentTarget: { value } }) => setSide(value === 'both' ? 'both' : (Number(value) as Side))}
        >
          <option value="both">{laterText('bothSides')}</option>
          {names.map((name, i) => (
            <option key={i} value={String(i)}>
              {name}
            </option>
          ))}
        </select>
        {mistakes.length === 0 && <span class="search-info">{laterText('nothingToRetry')}</span>}
      </div>
      <ResultTable review={review} names={names} sides={appearance?.sides ?? ['', '']} />
      <p class="review-words" role="status">
        {summarySentences(words).join(language === 'zh' ? '' : ' ')}
      </p>
      {review.turning_points.length > 0 && (
        <ol class="turning-points" aria-label={laterText('turningPoints')}>
          {turningPoints(words).map((node) => (
            <li key={node}>
              <button class="move" onClick={() => void client.goTo(tree.node(node)?.parent)}>
                {turningSentence(words, node)}
              </button>
            </li>
          ))}
        </ol>
      )}
      <div class="toolbar">
        <button class="small" onClick={() => void client.reviews.start()}>
          {laterText('reviewAgain')}
        </button>
        {review.nodes < review.deep_nodes && (
          <button class="small" onClick={() => void client.reviews.start(true)}>
            {laterText('deeperReview')}
          </button>
        )}
        <button class="small" onClick={() => setPrinting(true)}>
          {message('print')}
        </button>
      </div>
      {printing && <PrintDialog client={client} state={state} onClose={() => setPrinting(false)} />}
      <details class="about-review">
        <summary>{laterText('about')}</summary>
        <p>{laterText('aboutText', review.nodes.toLocaleString(pageLocale(language)))} {laterText('accuracyText', review.accuracy_version)}</p>
      </details>
    </>
  );
}

interface TableProps {
  review: ReviewDto;
  names: [string, string];
  sides: [string, string];
}

/** The accuracy and the numbers of marks of both sides. */
function ResultTable({ review, names, sides }: TableProps) {
  const laterText = useLaterMessage();
  return (
    <table class="review-table">
      <thead>
        <tr>
          <td />
          {names.map((name, i) => (
            <th key={i} scope="col">
              <span class={`dot ${sides[i]?.toLowerCase() ?? ''}`} aria-hidden="true" /> {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">{laterText('accuracy')}</th>
          {review.sides.map(({ accuracy }, i) => (
            <td key={i}>{accuracy === null ? '–' : laterText('accuracyOf', accuracy.toFixed(1))}</td>
          ))}
        </tr>
        {MARKS.map((mark) => (
          <tr key={mark}>
            <th scope="row">
              <span class={`sign ${mark}`}>{MARK_SIGNS[mark]}</span> {laterText(mark)}
            </th>
            {review.sides.map((side, i) => (
              <td key={i}>{side[mark]}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
