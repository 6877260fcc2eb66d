import type { Game, Shown } from './game';
import { sideNames } from './names';
import { losses, share, words } from './score';
import { useMessage } from './language';
import { numbered } from './tree';

const WIDTH = 320;
const HEIGHT = 110;

/** The values over the game as a curve; a click goes there. A review fills it and names the largest losses. */
export function Graph({ game, shown }: { game: Game; shown: Shown }) {
  const message = useMessage();
  const { tree, node, look, reviewed, language } = shown;
  const line = tree.line(node);
  const x = (i: number) => (line.length > 1 ? (WIDTH * i) / (line.length - 1) : 0);
  const y = (value: number) => HEIGHT * (1 - value);
  const points = line.flatMap((one, i) => (one.score ? [{ x: x(i), y: y(share(one.score)), node: one.node }] : []));
  const curve = points.map((point) => `${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join('L');
  const at = line.findIndex((one) => one.node === node);
  const origin = shown.game ?? { first: 0, number: 1 };
  const found = reviewed === undefined ? losses(line, origin.first) : [];
  const names = look ? sideNames(look, language) : ['', ''];
  /** A move with its number, as the record has it. */
  const named = (i: number) => {
    const { number, second } = numbered(i - 1, origin);
    return `${number}${second ? '…' : '.'} ${line[i]?.label}`;
  };
  /** What was played there and how it stands after it, as far as that is known. */
  const told = (i: number) => {
    const score = line[i]?.score;
    if (i === 0) return score && message('startScore', words(score));
    return score ? message('moveScore', named(i), words(score)) : named(i);
  };
  const click = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const i = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
    void game.go(line[i]?.node);
  };
  return (
    <section class="graph panel" aria-label={message('graph')}>
      {/* The same steps are on the buttons and the arrow keys. */}
      <svg viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`} preserveAspectRatio="none" role="img" aria-label={message('graphHelp', names[0] ?? '')} onClick={click}>
        <rect class="below" x="0" y={HEIGHT / 2} width={WIDTH} height={HEIGHT / 2} />
        {points.length > 1 && (
          <path class="area" d={`M${points[0]?.x} ${HEIGHT / 2}L${curve}L${points.at(-1)?.x} ${HEIGHT / 2}Z`} />
        )}
        {points.length > 0 && <path class="curve" d={`M${curve}`} />}
        <path class="here" d={`M${x(at)} 0V${HEIGHT}`} />
        {found.map((loss) => {
          const point = points.find((one) => one.node === loss.node);
          return point && <circle key={loss.node} class="worst" cx={point.x} cy={point.y} r="3.5" />;
        })}
        {line.map((one, i) => {
          const wide = WIDTH / Math.max(1, line.length - 1);
          return (
            <rect key={one.node} class="step" x={x(i) - wide / 2} y="-4" width={wide} height={HEIGHT + 8}>
              <title>{told(i)}</title>
            </rect>
          );
        })}
      </svg>
      <div class="bar">
        {reviewed === undefined ? (
          <button class="small" disabled={tree.size === 0} onClick={() => void game.review()}>
            {message('review')}
          </button>
        ) : (
          <>
            <span class="figures" role="status">
              {message('reviewing', reviewed, tree.line(0).length)}
            </span>
            <button class="small" onClick={() => void game.stopReview()}>
              {message('stop')}
            </button>
          </>
        )}
      </div>
      {found.length > 0 && (
        <ol class="losses" aria-label={message('largestLosses')} tabIndex={0}>
          {found.map(({ node: bad, lost, better }) => {
            const i = line.findIndex((one) => one.node === bad);
            const side = numbered(i - 1, origin).second ? 1 : 0;
            return (
              <li key={bad}>
                <button class="move" onClick={() => void game.go(tree.at(bad)?.parent)}>
                  <span class={`dot ${look?.sides[side].toLowerCase() ?? ''}`} title={names[side]} />
                  {message('moveLoss', named(i), words({ value: lost, mate: null }).slice(1), better)}
                </button>
              </li>
            );
          })}
        </ol>
      )}
      {found.length === 0 && points.length > 0 && points.length === line.length && tree.size > 0 && reviewed === undefined && (
        <p class="help">{message('noLargeLosses')}</p>
      )}
    </section>
  );
}
