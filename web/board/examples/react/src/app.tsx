import { useState } from 'react';
import xiangqi from 'alfil-board/looks/xiangqi';
import { type Orientation, piecesFromFen, moveTarget } from 'alfil-board/react';

const START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR';

/** Some of the moves of Red, who may make one. Drag a cannon or a horse, or click it and then a dot. */
const MOVES = [['h2', 'e2'], ['b2', 'e2'], ['b2', 'b9'], ['b0', 'c2'], ['h0', 'g2']] as const;

export function App() {
  const [pieces, setPieces] = useState(() => piecesFromFen(xiangqi, START));
  const [last, setLast] = useState<string[]>([]);
  const [orientation, setOrientation] = useState<Orientation>('first');
  const targets = last.length > 0 ? [] : MOVES.map(([from, to]) => moveTarget(pieces, from, to));
  return (
    <>
      <alfil-board
        style={{ width: '480px', maxWidth: '100%' }}
        look={xiangqi}
        pieces={pieces}
        targets={targets}
        last={last}
        orientation={orientation}
        ondrop={({ currentTarget: board, detail: { targets: [move] } }) => {
          board.play(move.script);
          setPieces({ ...board.pieces });
          setLast([move.from ?? '', move.to ?? '']);
        }}
      />
      <p>
        <button onClick={() => setOrientation(orientation === 'first' ? 'second' : 'first')}>Turn the board</button>
      </p>
    </>
  );
}
