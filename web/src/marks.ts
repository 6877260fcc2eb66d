import type { Arrow, Value } from './board/overlay';
import { verdict } from './names';
import { short } from './score';
import type { Shown } from './shown';
import type { Position, Side, Target, Thought } from './wire';
import { type Language, say } from './words';

/** The arrows on the board: what the judge accuses, a hint, or the first moves of the engine's lines. */
export function arrows({ hint, thoughts, position, lines, look, attacks }: Shown): Arrow[] {
  if (attacks.length > 0) return attacks;
  if (hint?.to) return [{ from: hint.from, to: hint.to, rank: 1 }];
  if (look?.layout === 'cells') return [];
  const found = thoughts.slice(0, lines).map(({ line, rank }) => {
    const target = position?.targets.find((one) => one.text === line[0]);
    return target?.to ? { from: target.from, to: target.to, rank } : undefined;
  });
  return found.filter((arrow) => arrow !== undefined);
}

/** Where men are put down, every square can show what it is worth to the side to move. */
export function values({ thoughts, position, look }: Shown): Record<string, Value> {
  if (look?.layout !== 'cells' || !position || thoughts.length === 0) return {};
  const sign = position.side === 0 ? 1 : -1;
  const best = Math.max(...thoughts.map(({ score }) => sign * score.value));
  const found: Record<string, Value> = {};
  for (const { line, score } of thoughts) {
    const target = position.targets.find((one) => one.text === line[0]);
    const value = { value: sign * score.value, mate: score.mate === null ? null : sign * score.mate };
    if (target?.to) found[target.to] = { words: short(value), best: sign * score.value === best };
  }
  return found;
}

/** The targets of a position, each with what would come of it where that should be known before. */
export function noted({ targets, warnings }: Position, language: Language): Target[] {
  if (warnings.length === 0) return targets;
  return targets.map((target) => {
    const warning = warnings.find((one) => one.text === target.text);
    return warning ? { ...target, note: say(language, 'warned', warning.label, verdict(warning.ending, language)) } : target;
  });
}

/** Lines of one depth by their worth to the side to move: a later one may have turned out better than one before it. */
export function ranked(thoughts: Thought[], side: Side): Thought[] {
  const sign = side === 0 ? 1 : -1;
  const sorted = [...thoughts].sort((a, b) => sign * (b.score.value - a.score.value) || a.rank - b.rank);
  return sorted.map((thought, i) => ({ ...thought, rank: i + 1 }));
}
