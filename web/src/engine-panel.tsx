import { useContext } from 'preact/hooks';
import type { GameClient } from './game-client';
import { LanguageContext, useMessage } from './language';
import { sideNames } from './names';
import { EngineSelect } from './engine-select';
import { type EngineOptions, HASH_SIZES, threadCounts } from './engine-options';
import { formatScore } from './score';
import type { UiState } from './ui-state';

const MAX_SELECTABLE_LINES = 5;

/** The engine's lines for the position. A click on a move plays the line up to it. */
export function EnginePanel({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const language = useContext(LanguageContext);
  const { appearance, engineOn, lineCount, analysisLines, analysing, searchQueued } = state;
  const [best] = analysisLines;
  const knps = best && best.seconds > 0 ? Math.round(best.nodes / best.seconds / 1000) : 0;
  return (
    <section class="engine panel" aria-label={message('engine')}>
      <div class="toolbar">
        <button
          class={`switch ${engineOn ? 'on' : ''}`}
          aria-pressed={engineOn}
          title={message(engineOn ? 'engineOn' : 'engineOff')}
          onClick={() => client.setEngine(!engineOn)}
        >
          <span class="indicator" aria-hidden="true" />
          {message('engine')}
        </button>
        {engineOn && best && <span class="search-info">{message('depth', best.depth)}</span>}
        {engineOn && knps > 0 && <span class="search-info">{message('speed', knps)}</span>}
        {!engineOn && <span class="help engine-help">{message('engineHelp')}</span>}
        <label class="inline-field">
          <span class="label">{message('lines')}</span>
          <select
            aria-label={message('lines')}
            value={lineCount}
            onChange={(event) => client.runEngine(engineOn, Number(event.currentTarget.value))}
          >
            {Array.from({ length: MAX_SELECTABLE_LINES }, (_, i) => (
              <option key={i} value={i + 1}>
                {i + 1}
              </option>
            ))}
          </select>
        </label>
      </div>
      {engineOn && state.position?.ending && <p class="help">{message('endedHelp')}</p>}
      {engineOn && searchQueued && <p class="help">{message('searchQueued')}</p>}
      {engineOn && (
        <ol class="lines">
          {analysisLines.slice(0, lineCount).map(({ rank, score, line, labels, confidence, book, threat_squares: threat }) => (
            <li key={rank}>
              <b class="score">
                {formatScore(score)}
                {confidence !== undefined ? (
                  <Confidence percent={confidence} />
                ) : (
                  score.mate !== null && <small class="confidence">{message('forcedMate')}</small>
                )}
                {book && <small class="confidence">{message('bookMove')}</small>}
              </b>
              <span class="line">
                {labels.map((label, i) => (
                  <button
                    class="move"
                    key={i}
                    title={message('playLine')}
                    // The line of a threat begins with a pass, which cannot be played.
                    disabled={threat !== undefined}
                    onClick={() => void client.playLine(line.slice(0, i + 1))}
                  >
                    {label}
                  </button>
                ))}
              </span>
            </li>
          ))}
        </ol>
      )}
      {engineOn && (
        <div class="engine-foot">
          {appearance && analysisLines.length > 0 && (
            <p class="help">
              {state.threatOn && `${message('threatHelp', sideNames(appearance, language)[1 - (state.position?.side ?? 0)] ?? '')} `}
              {best?.confidence !== undefined && `${confidenceHelp(message, best.confidence)} `}
              {message('scoreSide', sideNames(appearance, language)[0])}
            </p>
          )}
          {!analysing && analysisLines.some(({ confidence }) => confidence !== 100) && (
            <button class="small" onClick={() => client.searchLonger()}>
              {message('searchLonger')}
            </button>
          )}
          <EngineOptionFields client={client} state={state} />
        </div>
      )}
    </section>
  );
}

/** How sure a score of the end of the game is. Only an exact one is called so. */
function Confidence({ percent }: { percent: number }) {
  const message = useMessage();
  return (
    <small class="confidence" title={confidenceHelp(message, percent)}>
      {percent === 100 ? message('exact') : `${percent} %`}
    </small>
  );
}

/** Says what the confidence of a score means. */
function confidenceHelp(message: ReturnType<typeof useMessage>, percent: number): string {
  return percent === 100 ? message('exactHelp') : message('selectiveHelp', percent);
}

/** The options of the engine: the threat and an endless search, and on a server threads and memory. */
function EngineOptionFields({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const { engineOptions: options, threatOn } = state;
  const inCheck = Boolean(state.position?.check);
  // A search in the browser has one thread and a table of its own size.
  const hasServer = !client.backup;
  return (
    <details class="engine-options">
      <summary>{message('engineOptions')}</summary>
      <div class="toolbar">
        <label class="check" title={message(inCheck ? 'threatInCheck' : 'threatTitle')}>
          <input
            type="checkbox"
            checked={threatOn}
            disabled={inCheck}
            onChange={(event) => client.setEngineOptions(options, event.currentTarget.checked)}
          />
          {message('threat')}
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={options.infinite ?? false}
            onChange={(event) => client.setEngineOptions({ ...options, infinite: event.currentTarget.checked || undefined })}
          />
          {message('infinite')}
        </label>
        {hasServer && <ResourceFields client={client} options={options} />}
      </div>
      <EngineSelect
        client={client}
        game={state.appearance?.game ?? ''}
        label={message('engine')}
        value={state.analyser}
        onChoose={(name) => client.externalEngines.setAnalyser(name)}
      />
      {inCheck && <p class="help">{message('threatInCheck')}</p>}
    </details>
  );
}

/** The threads and the memory of the engine. */
function ResourceFields({ client, options }: { client: GameClient; options: EngineOptions }) {
  const message = useMessage();
  return (
    <>
      <label class="check">
        {message('threads')}
        <select
          value={options.threads ?? 1}
          onChange={(event) => client.setEngineOptions({ ...options, threads: Number(event.currentTarget.value) })}
        >
          {threadCounts().map((count) => (
            <option key={count} value={count}>
              {count}
            </option>
          ))}
        </select>
      </label>
      <label class="check">
        {message('hashSize')}
        <select
          value={options.hash ?? HASH_SIZES[0]}
          onChange={(event) => client.setEngineOptions({ ...options, hash: Number(event.currentTarget.value) })}
        >
          {HASH_SIZES.map((size) => (
            <option key={size} value={size}>
              {size} MiB
            </option>
          ))}
        </select>
      </label>
    </>
  );
}
