import { useEffect, useRef } from 'preact/hooks';

/** The moves in pairs. */
export function Record({ moves, places }: { moves: string[]; places: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [moves.length]);
  const pairs = Array.from({ length: Math.ceil(moves.length / 2) }, (_, i) => moves.slice(2 * i, 2 * i + 2));
  return (
    <ol class="record" ref={list} aria-label="Moves" tabIndex={0}>
      {pairs.length === 0 && (
        <li class="hint">
          {places ? 'Click a dot.' : 'Click a piece, then a dot; or drag it.'}
          <span class="keys"> The arrow keys and Enter do it, too.</span>
        </li>
      )}
      {pairs.map((pair, i) => (
        <li key={i}>
          <span class="number">{i + 1}.</span>
          {pair.map((move, j) => (
            <span class={`move ${2 * i + j === moves.length - 1 ? 'current' : ''}`} key={j}>
              {move}
            </span>
          ))}
        </li>
      ))}
    </ol>
  );
}
