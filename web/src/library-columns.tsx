import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { type LibraryMessageKey, useLibraryMessage } from './library-messages';
import { loadPreference, savePreference } from './preferences';
import type { LibraryQuery, LibrarySort } from './wire/types';

/** The columns, and the share of the width that each has if the user has not changed it. */
const COLUMNS: [sort: LibrarySort, title: LibraryMessageKey, share: string][] = [
  ['players', 'players', '3fr'],
  ['result', 'result', '0.8fr'],
  ['date', 'columnDate', '1.2fr'],
  ['event', 'event', '1.8fr'],
  ['opening', 'opening', '2.2fr'],
  ['length', 'sortLength', '1fr'],
];
const MIN_WIDTH = 48;
const KEY_STEP = 16;

type Widths = Partial<Record<LibrarySort, number>>;

function loadWidths(): Widths {
  try {
    return JSON.parse(loadPreference('libraryWidths', '{}')) as Widths;
  } catch {
    return {};
  }
}

/** Returns whether an order begins with the greatest: the newest date, the longest game. */
export function isUsuallyDescending(sort: LibrarySort): boolean {
  return sort === 'changed' || sort === 'date' || sort === 'length';
}

interface Props {
  query: LibraryQuery;
  isShown: boolean;
  onSort?(sort: LibrarySort): void;
  children: ComponentChildren;
}

/** The heads of the columns, by which the list is sorted and the columns are made wider, above the list. */
export function LibraryColumns({ query, isShown, onSort, children }: Props) {
  const message = useLibraryMessage();
  const head = useRef<HTMLDivElement>(null);
  const [widths, setWidths] = useState(loadWidths);
  /** Where a column was when its edge was taken: the place of the pointer, and the widths of all columns. */
  const taken = useRef<{ x: number; widths: Widths }>();
  const measured = (): Widths => {
    const cells = [...(head.current?.querySelectorAll<HTMLElement>('.library-column') ?? [])];
    return Object.fromEntries(COLUMNS.map(([sort], i) => [sort, cells[i]?.getBoundingClientRect().width ?? MIN_WIDTH]));
  };
  const setWidth = (all: Widths, sort: LibrarySort, width: number) => {
    const changed = { ...all, [sort]: Math.max(MIN_WIDTH, Math.round(width)) };
    setWidths(changed);
    savePreference('libraryWidths', JSON.stringify(changed));
  };
  const reset = () => {
    setWidths({});
    savePreference('libraryWidths', '{}');
  };
  const columns = COLUMNS.map(([sort, , share]) => (widths[sort] === undefined ? `minmax(0, ${share})` : `minmax(0, ${widths[sort]}fr)`));
  return (
    <div class="library-table" style={{ '--columns': columns.join(' ') }}>
      {isShown && (
        <div class="library-head" ref={head} role="group" aria-label={message('sortBy')}>
          <span />
          {COLUMNS.map(([sort, title]) => (
            <span class="library-column" key={sort}>
              <button class="plain" aria-pressed={query.sort === sort} onClick={() => onSort?.(sort)}>
                {message(title)}
                {query.sort === sort && <span aria-hidden="true">{query.descending ? ' ↓' : ' ↑'}</span>}
              </button>
              <span
                class="library-edge"
                role="separator"
                aria-orientation="vertical"
                aria-label={message('columnWidth', message(title))}
                aria-valuenow={Math.round(widths[sort] ?? 0)}
                tabIndex={0}
                onDblClick={reset}
                onPointerDown={(event) => {
                  event.preventDefault();
                  event.currentTarget.setPointerCapture(event.pointerId);
                  taken.current = { x: event.clientX, widths: measured() };
                }}
                onPointerMove={({ clientX }) => {
                  const { current } = taken;
                  if (current) setWidth(current.widths, sort, (current.widths[sort] ?? 0) + clientX - current.x);
                }}
                onPointerUp={() => (taken.current = undefined)}
                onPointerCancel={() => (taken.current = undefined)}
                onKeyDown={(event) => {
                  const step = { ArrowLeft: -KEY_STEP, ArrowRight: KEY_STEP }[event.key];
                  if (step === undefined) return;
                  event.preventDefault();
                  const all = measured();
                  setWidth(all, sort, (all[sort] ?? 0) + step);
                }}
              />
            </span>
          ))}
        </div>
      )}
      {children}
    </div>
  );
}
