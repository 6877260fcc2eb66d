import { useContext } from 'preact/hooks';
import type { GameClient } from './game-client';
import { LanguageContext, useMessage } from './language';
import { sideNames } from './names';
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
        <label class="inline-field">
          <span class="label">{message('lines')}</span>
          <select
            aria-label={message('lines')}
            value={lineCount}
            onChange={(event) => client.setEngine(engineOn, Number(event.currentTarget.value))}
          >
            {Array.from({ length: MAX_SELECTABLE_LINES }, (_, i) => (
              <option key={i} value={i + 1}>
                {i + 1}
              </option>
            ))}
          </select>
        </label>
      </div>
      {!engineOn && <p class="help">{message('engineHelp')}</p>}
      {engineOn && searchQueued && <p class="help">{message('searchQueued')}</p>}
      {engineOn && (
        <ol class="lines">
          {analysisLines.slice(0, lineCount).map(({ rank, score, line, labels }) => (
            <li key={rank}>
              <b class="score">{formatScore(score)}</b>
              <span class="line">
                {labels.map((label, i) => (
                  <button
                    class="move"
                    key={i}
                    title={message('playLine')}
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
      {engineOn && appearance && analysisLines.length > 0 && (
        <p class="help">{message('scoreSide', sideNames(appearance, language)[0])}</p>
      )}
      {engineOn && !analysing && analysisLines.length > 0 && (
        <button class="small" onClick={() => client.searchLonger()}>
          {message('searchLonger')}
        </button>
      )}
    </section>
  );
}
