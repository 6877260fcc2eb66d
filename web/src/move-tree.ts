import { type TreeNode, withShapesApart } from './shapes';
import type { GameDto } from './wire/types';

/** The first side to move and the number of the first move of a game. */
export type NumberingOrigin = Pick<GameDto, 'first' | 'number'>;

/** Returns the move number of a ply, counted from 0, and whether the ply belongs to the second side. */
export function moveNumber(ply: number, { first, number }: NumberingOrigin): { number: number; second: boolean } {
  return { number: number + Math.floor((ply + first) / 2), second: (ply + first) % 2 === 1 };
}

/** Returns a move with its number, as in the move list. `index` counts the positions of a line, the start being 0. */
export function numberedLabel(line: TreeNode[], index: number, origin: NumberingOrigin): string {
  const { number, second } = moveNumber(index - 1, origin);
  return `${number}${second ? '…' : '.'} ${line[index]?.label}`;
}

/** A row of the move list. */
export interface MoveRow {
  number: number;
  /**
   * The moves of both sides. The first is undefined if the second side began the game, or if a variation or a comment
   * separates the two.
   */
  moves: (TreeNode | undefined)[];
  /** The first nodes of the variations that replace the last move of the row. */
  variations: number[];
}

/** Returns the rows of the main line. */
export function moveRows(tree: MoveTree, origin: NumberingOrigin): MoveRow[] {
  const rows: MoveRow[] = [];
  tree
    .lineThrough(0)
    .slice(1)
    .forEach((move, ply) => {
      const variations = tree.children(move.parent).slice(1);
      const { number, second } = moveNumber(ply, origin);
      const last = rows.at(-1);
      if (second && last && last.variations.length === 0 && !last.moves[0]?.comment) {
        last.moves.push(move);
        last.variations = variations;
      } else {
        rows.push({ number, moves: second ? [undefined, move] : [move], variations });
      }
    });
  return rows;
}

/**
 * The directions in which a user steps through the moves: `above` and `below` are the alternatives to a move that are
 * listed before and after it.
 */
export type Direction = 'first' | 'previous' | 'next' | 'last' | 'above' | 'below';

/** The moves of a game with its variations. Node 0 is the start position. */
export class MoveTree {
  private readonly nodes: Map<number, TreeNode>;

  constructor(nodes: TreeNode[] | Map<number, TreeNode> = [{ node: 0, parent: 0, text: '', label: '' }]) {
    this.nodes = nodes instanceof Map ? nodes : new Map(nodes.map((node) => [node.node, withShapesApart(node)]));
  }

  node(id: number): TreeNode | undefined {
    return this.nodes.get(id);
  }

  get moveCount(): number {
    return this.nodes.size - 1;
  }

  children(id: number): number[] {
    return this.nodes.get(id)?.children ?? [];
  }

  /** Returns the nodes from the start position to a node, both included. */
  pathTo(id: number): TreeNode[] {
    const path: TreeNode[] = [];
    let node = this.nodes.get(id);
    while (node) {
      path.push(node);
      node = node.node === 0 ? undefined : this.nodes.get(node.parent);
    }
    return path.reverse();
  }

  /** Returns the path to a node and its main continuation. */
  lineThrough(id: number): TreeNode[] {
    const line = this.pathTo(id);
    for (let next = this.children(id)[0]; next !== undefined; next = this.children(next)[0]) {
      const node = this.nodes.get(next);
      if (!node) break;
      line.push(node);
    }
    return line;
  }

  /** Returns the positions to which the buttons and keys go from a node: along its line, and to its alternatives. */
  neighbours(id: number): Record<Direction, number | undefined> {
    const line = this.lineThrough(id);
    const index = line.findIndex(({ node }) => node === id);
    const siblings = id === 0 ? [] : this.children(this.node(id)?.parent ?? 0);
    const siblingIndex = siblings.indexOf(id);
    return {
      first: line[0]?.node,
      previous: line[index - 1]?.node,
      next: line[index + 1]?.node,
      last: line.at(-1)?.node,
      above: siblings[siblingIndex - 1],
      below: siblings[siblingIndex + 1],
    };
  }

  /** Returns a node and all nodes after it. */
  nodesFrom(id: number): TreeNode[] {
    const found: TreeNode[] = [];
    const pending = [id];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const node = this.nodes.get(next);
      if (node) found.push(node);
      pending.push(...this.children(next));
    }
    return found;
  }

  /** Returns the same tree with a score for one node. */
  withScore(id: number, evaluation: Pick<TreeNode, 'score' | 'review'>): MoveTree {
    const node = this.nodes.get(id);
    return node ? this.withChanges([{ ...node, ...evaluation }]) : this;
  }

  /** Returns the tree with some nodes changed, added or removed. The other nodes stay the same objects. */
  withChanges(changed: TreeNode[], removed: number[] = []): MoveTree {
    const nodes = new Map(this.nodes);
    for (const id of removed) nodes.delete(id);
    for (const node of changed) nodes.set(node.node, withShapesApart(node));
    return new MoveTree(nodes);
  }
}
