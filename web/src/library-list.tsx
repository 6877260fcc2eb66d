import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { LoadedParts, PART_SIZE, type LibraryClient } from './library-client';
import { type LibraryMessage, useLibraryMessage } from './library-messages';
import type { GameName, LibraryQuery, LibraryRow, LibrarySort } from './wire/types';
import { LibraryColumns } from './library-columns';
import { Thumbnails } from './library-thumbnails';
import { type Language, message as pageMessage } from './messages';
import { openingText } from './names';
import { eventNameText, gameDate, gameLength, playerText, resultText } from './game-texts';

/** The height of a row in pixels, and in a list that is too narrow for columns. */
export const ROW_HEIGHT = 36;
const COMPACT_ROW_HEIGHT = 52;
/** The width of a list that has columns, in pixels. */
const MIN_TABLE_WIDTH = 640;
/** The height of the picture of a position in pixels. */
const PICTURE_HEIGHT = 200;
/** The number of rows that are drawn above and below those in sight. */
const SPARE_ROWS = 4;

interface Props {
  library: LibraryClient;
  query: LibraryQuery;
  /** Changes when the list has to be loaded again, although the query is the same. */
  revision: number;
  /** Whether requests can be sent. */
  connected: boolean;
  games: GameName[];
  language: Language;
  selected: ReadonlySet<string>;
  /** The id of the open game. */
  openId: string | undefined;
  onSelect(selected: Set<string>): void;
  onSelectAll(): void;
  /** Where the list was scrolled to when it was closed, and the row that was active. */
  place?: ListPlace;
  onPlace?(place: ListPlace): void;
  onSort?(sort: LibrarySort): void;
  onOpen(row: LibraryRow, index: number): void;
  onDelete(): void;
  onTotal(total: number): void;
}

/** A place in a list. */
export interface ListPlace {
  top: number;
  active: number;
}

/** The list of games: only the rows in sight are in the document, whatever the number of games. */
export function LibraryList(props: Props) {
  const { library, query, revision, connected, games, language, selected, openId } = props;
  const message = useLibraryMessage();
  const viewport = useRef<HTMLDivElement>(null);
  const [parts, setParts] = useState(() => new LoadedParts());
  const [scroll, setScroll] = useState({ top: props.place?.top ?? 0, height: 600, width: 0 });
  const [active, setActive] = useState(props.place?.active ?? 0);
  const isCompact = scroll.width > 0 && scroll.width < MIN_TABLE_WIDTH;
  const rowHeight = isCompact ? COMPACT_ROW_HEIGHT : ROW_HEIGHT;
  /** Where to scroll when the rows are there. */
  const initialTop = useRef(props.place?.top);
  const [, redraw] = useState(0);
  /** The first row of a selection by the Shift key. */
  const anchor = useRef(0);
  const loading = useRef(false);
  /** Where a part could not be loaded. It is requested again when the list is scrolled or connected anew. */
  const failed = useRef<{ parts: LoadedParts; top: number }>();
  const first = Math.max(0, Math.floor(scroll.top / rowHeight) - SPARE_ROWS);
  const end = Math.min(parts.total, Math.ceil((scroll.top + scroll.height) / rowHeight) + SPARE_ROWS);

  useLayoutEffect(() => {
    const element = viewport.current;
    if (!element) return;
    const measure = () => {
      // Without rows the list cannot be scrolled yet.
      const top = initialTop.current ?? element.scrollTop;
      setScroll({ top, height: element.clientHeight, width: element.clientWidth });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  useEffect(() => {
    // The former rows stay in sight until the first part of the new list is there.
    let isCurrent = true;
    failed.current = undefined;
    if (!connected) return;
    const isNew = parts.total === 0 && initialTop.current === undefined;
    const start = (revision === 0 && initialTop.current === undefined) || isNew ? 0 : Math.floor(first / PART_SIZE) * PART_SIZE;
    void library.list(query, start).then((part) => {
      if (!isCurrent || !part) return;
      const loaded = new LoadedParts();
      loaded.add(start, part);
      setParts(loaded);
      props.onTotal(part.total);
      const last = Math.max(0, part.total - 1);
      setActive((former) => Math.min(former, last));
      anchor.current = Math.min(anchor.current, last);
    });
    return () => {
      isCurrent = false;
    };
  }, [query, revision, connected]);
  const isFirstQuery = useRef(true);
  useEffect(() => {
    if (isFirstQuery.current) return void (isFirstQuery.current = false);
    initialTop.current = undefined;
    setActive(0);
    anchor.current = 0;
    viewport.current?.scrollTo({ top: 0 });
  }, [query]);
  useLayoutEffect(() => {
    if (initialTop.current === undefined || parts.total === 0) return;
    const top = initialTop.current;
    initialTop.current = undefined;
    if (viewport.current) viewport.current.scrollTop = top;
  }, [parts]);
  useEffect(() => props.onPlace?.({ top: scroll.top, active }), [scroll.top, active]);
  const missing = parts.missing(first, end);
  useEffect(() => {
    // One part is loaded at a time: those that were scrolled past meanwhile are never requested.
    if (missing === undefined || loading.current || !connected) return;
    if (failed.current?.parts === parts && failed.current.top === scroll.top) return;
    loading.current = true;
    void library.list(query, missing).then((part) => {
      loading.current = false;
      failed.current = part ? undefined : { parts, top: scroll.top };
      if (part) parts.add(missing, part);
      if (part) props.onTotal(part.total);
      redraw((count) => count + 1);
    });
  });

  const latest = useRef(props);
  latest.current = props;
  const toggle = async (index: number, range: boolean) => {
    const [from, to] = range ? [Math.min(anchor.current, index), Math.max(anchor.current, index)] : [index, index];
    if (!range) anchor.current = index;
    let ids = Array.from({ length: to - from + 1 }, (_, i) => parts.row(from + i)?.id);
    // The rows of a range that were never in sight are not loaded.
    if (range && ids.includes(undefined)) ids = (await library.ids(query)).slice(from, to + 1);
    if (latest.current.query !== query) return;
    const chosen = new Set(latest.current.selected);
    for (const id of ids) {
      if (id === undefined) continue;
      if (!range && chosen.has(id)) chosen.delete(id);
      else chosen.add(id);
    }
    props.onSelect(chosen);
  };
  const goTo = (index: number, range: boolean) => {
    const place = Math.max(0, Math.min(parts.total - 1, index));
    setActive(place);
    const element = viewport.current;
    if (!element) return;
    const [top, bottom] = [place * rowHeight, (place + 1) * rowHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    if (range) void toggle(place, true);
    else anchor.current = place;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor(scroll.height / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + pageRows,
      PageUp: active - pageRows,
      Home: 0,
      End: parts.total - 1,
    };
    const target = moves[event.key];
    const row = parts.row(active);
    if (target !== undefined && !event.ctrlKey && !event.altKey) goTo(target, event.shiftKey);
    else if (event.key === ' ') void toggle(active, event.shiftKey);
    else if (event.key === 'Enter' && row) props.onOpen(row, active);
    else if (event.key === 'Delete' && selected.size > 0) props.onDelete();
    else if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) props.onSelectAll();
    else return;
    event.preventDefault();
  };
  const onRowClick = (event: MouseEvent, index: number) => {
    const inCheckbox = (event.target as HTMLElement).closest('.row-check') !== null;
    setActive(index);
    if (inCheckbox || event.shiftKey || event.ctrlKey || event.metaKey) {
      void toggle(index, event.shiftKey);
      return;
    }
    anchor.current = index;
    const row = parts.row(index);
    if (row) props.onOpen(row, index);
  };
  // A row that scrolls out of sight is used again for one that scrolls into it.
  const pool = Math.max(1, end - first);
  const list = (
    <div
      ref={viewport}
      class="library-list"
      role="listbox"
      tabIndex={0}
      aria-multiselectable="true"
      aria-label={`${message('library')}. ${message(query.deleted ? 'deletedListHelp' : 'listHelp')}`}
      aria-activedescendant={parts.row(active) ? `game-${active}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div class="library-rows" role="presentation" style={{ height: `${parts.total * rowHeight}px` }}>
        {Array.from({ length: pool }, (_, i) => first + i)
          .filter((index) => index < end)
          .map((index) => {
            const row = parts.row(index);
            return (
              <div
                key={index % pool}
                id={`game-${index}`}
                role="option"
                class={`library-row${isCompact ? ' compact' : ''}${index === active ? ' active' : ''}`}
                style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
                aria-selected={row !== undefined && selected.has(row.id)}
                aria-setsize={parts.total}
                aria-posinset={index + 1}
                aria-current={row !== undefined && row.id === openId}
                onClick={(event) => onRowClick(event, index)}
              >
                {row ? <RowContent {...{ row, isCompact, games, language }} /> : '…'}
              </div>
            );
          })}
      </div>
    </div>
  );
  return (
    <>
      <LibraryColumns query={query} isShown={!isCompact && parts.total > 0} onSort={props.onSort}>
        {list}
      </LibraryColumns>
      <Preview library={library} row={parts.row(active)} />
    </>
  );
}

/** The last position of the active row, below the collections. */
function Preview({ library, row }: { library: LibraryClient; row: LibraryRow | undefined }) {
  const picture = useRef<HTMLCanvasElement>(null);
  const [thumbnails, setThumbnails] = useState<Thumbnails>();
  useEffect(() => {
    void library.looks?.().then(async (looks) => {
      const drawn = new Thumbnails(PICTURE_HEIGHT);
      await drawn.load(looks ?? {});
      setThumbnails(drawn);
    });
  }, [library]);
  useLayoutEffect(() => {
    if (picture.current && row) thumbnails?.drawPosition(picture.current, row.game, row.placement);
  }, [row?.id, row?.placement, thumbnails]);
  if (!row) return null;
  return (
    <div class="library-preview">
      <canvas ref={picture} aria-hidden="true" style={{ width: `${thumbnails?.width(row.game) ?? PICTURE_HEIGHT}px` }} />
    </div>
  );
}

/** The texts of a game: in columns, or in two lines if the list is too narrow for them. */
function RowContent({ row, isCompact, games, language }: Pick<Props, 'games' | 'language'> & { row: LibraryRow; isCompact: boolean }) {
  const message = useLibraryMessage();
  const { eco, opening, opening_zh } = row;
  const name = opening ? openingText({ eco, name: opening, name_zh: opening_zh || opening }, language) : eco;
  const event = eventNameText(row.event, language);
  const date = gameDate(row.date, language);
  const length = gameLength(games, row.game, row.plies, language);
  const players = playersText(row, message, language);
  const result = resultText(row.result, row.score);
  if (isCompact) {
    return (
      <>
        <span class="row-check" aria-hidden="true" />
        <span class="row-text">
          <b class="row-players">{players}</b>
          <span class="row-details">{[name, event, date, length].filter((text) => text).join(' · ')}</span>
        </span>
        <span class="row-result">{result}</span>
      </>
    );
  }
  return (
    <>
      <span class="row-check" aria-hidden="true" />
      <b class="row-players" title={players}>{players}</b>
      <span class="row-result">{result}</span>
      <span>{date}</span>
      <span title={event}>{event}</span>
      <span title={name}>{name}</span>
      <span>{length}</span>
    </>
  );
}

/** Returns the names of the players, or who plays if they have no names. */
export function playersText(row: LibraryRow, message: LibraryMessage, language: Language): string {
  const { players, ratings, person, two_people, level, damaged } = row;
  if (damaged) return pageMessage(language, 'damagedGame');
  const hasNames = players.some((name) => name);
  // A game of a file was played, even if it names no player.
  const nameless = row.collection ? 'namelessGame' : 'analysis';
  if (!hasNames && person === null) return message(two_people ? 'twoPeople' : nameless);
  const side = (index: number) => (person === index ? message('you') : message('computer', level));
  const names = players.map((name, index) => {
    const shown = playerText(name, language) || (person === null ? message('unknownPlayer') : side(index));
    return ratings[index] ? `${shown} (${ratings[index]})` : shown;
  });
  return names.join(' – ');
}
