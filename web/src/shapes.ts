import type { DrawnShape, ShapeColour } from '../board/src/types';
import type { NodeDto } from './wire/types';

/** A move in the tree of a game, with what is drawn in its position, which the server has in the comment. */
export type TreeNode = NodeDto & { shapes?: DrawnShape[] };

// Drawn arrows and circles are kept in the comments of moves, as programs write them in PGN: `[%cal Gd2d4,Ra1a8]` has
// arrows, `[%csl Ye4]` has circles. The first letter is the colour. They are never shown as text.

const COLOURS: Record<string, ShapeColour> = { G: 'green', R: 'red', B: 'blue', Y: 'yellow' };
const COMMAND = /\s*\[%(?:cal|csl)\s+([^\]]*)\]/g;
/** A colour and one or two squares: a letter and a number each. */
const SHAPE = /^([GRBY])([a-z]\d+)([a-z]\d+)?$/;

/** Splits a comment into its text and the shapes that are drawn in the position. */
export function splitComment(comment: string): { text: string; shapes: DrawnShape[] } {
  const shapes: DrawnShape[] = [];
  const text = comment.replace(COMMAND, (_, list: string) => {
    for (const entry of list.split(',')) {
      const [, colour, first, second] = SHAPE.exec(entry.trim()) ?? [];
      if (colour && first) shapes.push({ from: second ? first : null, to: second ?? first, colour: COLOURS[colour] ?? 'green' });
    }
    return '';
  });
  return { text: text.trim(), shapes };
}

/** Returns the comment that has a text and shapes. */
export function joinComment(text: string, shapes: DrawnShape[] = []): string {
  const list = (name: string, chosen: DrawnShape[]) => {
    const entries = chosen.map(({ from, to, colour }) => `${colour.charAt(0).toUpperCase()}${from ?? ''}${to}`);
    return entries.length > 0 ? `[%${name} ${entries.join(',')}]` : '';
  };
  const circles = list('csl', shapes.filter(({ from }) => from === null));
  const arrows = list('cal', shapes.filter(({ from }) => from !== null));
  return [circles, arrows, text].filter(Boolean).join(' ');
}

/** Returns a node of the server with its shapes apart from its comment. A node that has them apart stays as it is. */
export function withShapesApart(node: TreeNode): TreeNode {
  if (node.shapes || !node.comment?.includes('[%c')) return node;
  const { text, shapes } = splitComment(node.comment);
  return { ...node, comment: text || undefined, shapes };
}

/**
 * Returns the shapes after a person has drawn one: a shape of another colour replaces the former one, and the same
 * shape once more removes it.
 */
export function withDrawnShape(shapes: DrawnShape[], { from, to, colour }: DrawnShape): DrawnShape[] {
  const former = shapes.find((shape) => shape.from === from && shape.to === to);
  const others = shapes.filter((shape) => shape !== former);
  return former?.colour === colour ? others : [...others, { from, to, colour }];
}
