import type { GameDto, NodeDto } from './protocol';

/** Where a game began to count. */
export type Origin = Pick<GameDto, 'first' | 'number'>;

/** The number of a ply, counted from 0, and whether it is the second of its pair. */
export function numbered(ply: number, { first, number }: Origin): { number: number; second: boolean } {
  return { number: number + Math.floor((ply + first) / 2), second: (ply + first) % 2 === 1 };
}

/** A line of the record. */
export interface Row {
  number: number;
  /** The moves of a pair; nothing where the first is missing because the second side began, or a variation stands between. */
  moves: (NodeDto | undefined)[];
  /** The variations that stand beside them. */
  asides: number[];
}

/** The main line in pairs, and which variations stand beside each pair. */
export function pairs(tree: Tree, origin: Origin): Row[] {
  const rows: Row[] = [];
  tree
    .line(0)
    .slice(1)
    .forEach((move, ply) => {
      const asides = tree.children(move.parent).slice(1);
      const { number, second } = numbered(ply, origin);
      const last = rows.at(-1);
      if (second && last && last.asides.length === 0) {
        last.moves.push(move);
        last.asides = asides;
      } else {
        rows.push({ number, moves: second ? [undefined, move] : [move], asides });
      }
    });
  return rows;
}

/** The moves of a game with its variations; the start is node 0. */
export class Tree {
  private readonly nodes: Map<number, NodeDto>;

  constructor(nodes: NodeDto[] = [{ node: 0, parent: 0, text: '', label: '' }]) {
    this.nodes = new Map(nodes.map((node) => [node.node, node]));
  }

  at(node: number): NodeDto | undefined {
    return this.nodes.get(node);
  }

  get size(): number {
    return this.nodes.size - 1;
  }

  children(node: number): number[] {
    return this.nodes.get(node)?.children ?? [];
  }

  /** The nodes from the start to this one, both included. */
  road(node: number): NodeDto[] {
    const road: NodeDto[] = [];
    for (let at = this.nodes.get(node); at; at = at.node === 0 ? undefined : this.nodes.get(at.parent)) road.unshift(at);
    return road;
  }

  /** The line through a node to its end: the road there, and the first moves from there on. */
  line(node: number): NodeDto[] {
    const line = this.road(node);
    for (let next = this.children(node)[0]; next !== undefined; next = this.children(next)[0]) {
      const at = this.nodes.get(next);
      if (!at) break;
      line.push(at);
    }
    return line;
  }

  /** The same tree with a value for one of its nodes. */
  valued(node: number, part: Pick<NodeDto, 'score' | 'best'>): Tree {
    return new Tree([...this.nodes.values()].map((one) => (one.node === node ? { ...one, ...part } : one)));
  }
}
