import type { NodeDto } from './wire/types';

/** Returns the seconds of a clock command of PGN, such as `[%clk 0:03:00]`; undefined if the text has none. */
export function clockSeconds(clocks: string | undefined, command: 'clk' | 'emt'): number | undefined {
  const found = new RegExp(`\\[%${command} (?:(\\d+):)?(\\d+):(\\d+(?:\\.\\d+)?)\\]`).exec(clocks ?? '');
  return found ? 3600 * Number(found[1] ?? 0) + 60 * Number(found[2]) + Number(found[3]) : undefined;
}

/** Formats seconds as a clock shows them: `1:02:03`, `4:05`, `0:09.5`. */
export function formatSeconds(seconds: number): string {
  const tenths = Math.round(10 * seconds);
  const [hours, minutes, rest] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const padded = `${rest < 10 ? '0' : ''}${Number(rest.toFixed(1))}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${padded}` : `${minutes}:${padded}`;
}

/**
 * Returns the seconds that were used for each move of a line: as recorded, or the difference of the clock times of the
 * side. An increment makes the difference smaller than the time that was used.
 */
export function usedSeconds(line: NodeDto[]): (number | undefined)[] {
  return line.map(({ clocks }, i) => {
    const recorded = clockSeconds(clocks, 'emt');
    if (recorded !== undefined) return recorded;
    const [before, after] = [clockSeconds(line[i - 2]?.clocks, 'clk'), clockSeconds(clocks, 'clk')];
    return before !== undefined && after !== undefined ? Math.max(0, before - after) : undefined;
  });
}
