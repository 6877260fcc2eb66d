import type { Game, Shown } from './game';
import { words } from './score';
import { useMessage } from './language';

const MOST_LINES = 5;

/** What the engine thinks of the position: its lines, to be walked by a click. */
export function Engine({ game, shown }: { game: Game; shown: Shown }) {
  const message = useMessage();
  const { engine, lines, thoughts, analysing, queued } = shown;
  const [best] = thoughts;
  const speed = best && best.seconds > 0 ? Math.round(best.nodes / best.seconds / 1000) : 0;
  return (
    <section class="engine panel" aria-label={message('engine')}>
      <div class="bar">
        <button class={`switch ${engine ? 'on' : ''}`} aria-pressed={engine} title={message(engine ? 'engineOn' : 'engineOff')} onClick={() => game.engine(!engine)}>
          <span class="lamp" aria-hidden="true" />
          {message('engine')}
        </button>
        {engine && best && <span class="figures">{message('depth', best.depth)}</span>}
        {engine && speed > 0 && <span class="figures">{message('speed', speed)}</span>}
        <label class="choice">
          <span class="word">{message('lines')}</span>
          <select aria-label={message('lines')} value={lines} onChange={(event) => game.engine(engine, Number(event.currentTarget.value))}>
            {Array.from({ length: MOST_LINES }, (_, i) => (
              <option key={i} value={i + 1}>
                {i + 1}
              </option>
            ))}
          </select>
        </label>
      </div>
      {!engine && <p class="help">{message('engineHelp')}</p>}
      {engine && queued && <p class="help">{message('searchQueued')}</p>}
      {engine && (
        <ol class="lines">
          {thoughts.slice(0, lines).map((thought) => (
            <li key={thought.rank}>
              <b class={`worth ${thought.score.value < 0 ? 'less' : ''}`}>{words(thought.score)}</b>
              <span class="line">
                {thought.labels.map((label, i) => (
                  <button
                    class="move"
                    key={i}
                    title={message('playLine')}
                    onClick={() => void game.walk(thought.line.slice(0, i + 1))}
                  >
                    {label}
                  </button>
                ))}
              </span>
            </li>
          ))}
        </ol>
      )}
      {engine && !analysing && thoughts.length > 0 && (
        <button class="small" onClick={() => game.deeper()}>
          {message('searchLonger')}
        </button>
      )}
    </section>
  );
}

/** The bar beside the board: how much of it is the first side's. */
export function Balance({ game, shown }: { game: Game; shown: Shown }) {
  const message = useMessage();
  const share = game.balance();
  const score = shown.tree.at(shown.node)?.score;
  const first = shown.look?.sides[0].toLowerCase() ?? '';
  const second = shown.look?.sides[1].toLowerCase() ?? '';
  const upside = (game.person === 1) !== shown.flipped;
  const label = score ? message('evaluation', words(score)) : '';
  return (
    <div class={`balance ${second} ${upside ? 'upside' : ''}`} role="img" aria-label={label} title={label} hidden={!score}>
      <div class={`first ${first}`} style={{ height: `${100 * (share ?? 0.5)}%` }} />
    </div>
  );
}
