import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DetailsDialog } from './details-dialog';
import { ErrorBanner } from './error-banner';
import { gameFiles, takeFiles } from './file-field';
import type { GameClient } from './game-client';
import { Plus } from './icons';
import { useMessage } from './language';
import { LibraryClient } from './library-client';
import { ALL_GAMES, LibraryCollections } from './library-collections';
import { DeletedGameActions } from './library-deleted-games';
import { LibraryFilters } from './library-filters';
import { ImportPanel } from './library-import';
import { isUsuallyDescending } from './library-columns';
import { LibraryList, type ListPlace } from './library-list';
import { useLibraryMessage } from './library-messages';
import style from './library.css?inline';
import { useModalDialog } from './modal-dialog';
import { NoticeBar } from './notice-bar';
import { pressable } from './pressable';
import type { CollectionList, ImportProgress, LibraryQuery, LibraryRow } from './wire/types';
import { openListedGame } from './list-steps';
import { saveFile } from './save-file';
import { collectionName } from './text-import';
import type { UiState } from './ui-state';
import { useStyle } from './use-style';

interface Props {
  client: GameClient;
  state: UiState;
  onClose(): void;
}

/** The time to wait for more letters before a search, in milliseconds. */
const SEARCH_DELAY_MS = 150;
/** What each page showed of its library when that was closed. */
const keptViews = new WeakMap<GameClient, { query: LibraryQuery; place: ListPlace }>();
const NO_COLLECTIONS: CollectionList = { all: 0, single: 0, deleted: 0, rows: [] };

/** The library: the collections, the list of games with search and filters, import and export. */
export function LibraryView({ client, state, onClose }: Props) {
  const { language } = state;
  const message = useLibraryMessage();
  const pageMessage = useMessage();
  const dialog = useModalDialog(onClose);
  const library = useMemo(() => new LibraryClient(client), [client]);
  const [collections, setCollections] = useState(NO_COLLECTIONS);
  /** What was shown when the library was closed, unless it is opened for the games of a file. */
  const kept = useRef(state.libraryRequest ? undefined : keptViews.get(client)).current;
  const [query, setQuery] = useState<LibraryQuery>(
    () =>
      kept?.query ?? {
        collection: state.libraryRequest?.imported?.collection ?? undefined,
        search: '',
        sort: 'changed',
        descending: true,
      },
  );
  const place = useRef<ListPlace>(kept?.place ?? { top: 0, active: 0 });
  const settledQuery = useSettled(query);
  const latestQuery = useRef(query);
  latestQuery.current = query;
  // A position was that of the board when the library was open.
  useEffect(() => () => void keptViews.set(client, { query: latestQuery.current, place: place.current }), []);
  const [revision, setRevision] = useState(0);
  const [total, setTotal] = useState<number>();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set<string>());
  const [file, setFile] = useState(state.libraryRequest?.file);
  const [report, setReport] = useState(state.libraryRequest?.imported);
  /** The number of games that are exported, and of those that are done. */
  const [saving, setSaving] = useState(0);
  const [exported, setExported] = useState<number>();
  const [edited, setEdited] = useState<{ id: string; game: string; tags: [string, string][] }>();

  const reload = () => {
    setRevision((number) => number + 1);
    void library.collections().then((list) => list && setCollections(list));
  };
  // Undoing and redoing show a notice: the list may have changed.
  useEffect(() => {
    // The end of a notice changes nothing, and a request would remove an error.
    if (state.notice || revision === 0) reload();
  }, [state.notice]);
  useEffect(() => {
    client.update({ libraryRequest: undefined });
  }, []);
  const change = (changes: Partial<LibraryQuery>) => {
    setSelected(new Set());
    setQuery((former) => ({ ...former, ...changes }));
  };
  const openFirst = async (id: string, fileName: string) => {
    const { tags = [] } = (await library.tags(id)) ?? {};
    // A game without names keeps that of its file.
    if (!tags.some(([tag, value]) => ['White', 'Black', 'Red', 'Event'].includes(tag) && !['', '?'].includes(value))) {
      await library.nameGame(id, [['Event', fileName], ...tags.filter(([tag]) => tag !== 'Event')]);
    }
    if (await client.openGame(id, undefined, { first: true })) onClose();
  };
  const open = async (row: LibraryRow, index: number) => {
    if (await openListedGame(client, row, settledQuery, index, total ?? 0)) onClose();
  };
  const openSelected = async (id: string) => {
    if (await client.openGame(id)) onClose();
  };
  const onImported = (progress: ImportProgress | undefined) => {
    const fileName = file?.games.name ?? '';
    setFile(undefined);
    // Nothing was imported, and another request would remove the error.
    if (!progress) return;
    reload();
    if (!progress.collection && progress.first) return void openFirst(progress.first, collectionName(fileName));
    setReport(progress);
    const unfiltered = { search: '', position: undefined, game: undefined, result: undefined };
    change({ ...ALL_GAMES, ...unfiltered, collection: progress.collection ?? undefined });
  };
  const emptyMessage =
    query.deleted && collections.deleted === 0 ? 'noDeletedGames' : collections.all === 0 && !query.deleted ? 'emptyLibrary' : 'noGames';
  const chosen = [...selected];
  const remove = async () => {
    if (await library.deleteGames(chosen)) setSelected(new Set());
  };
  const onRemoved = () => {
    setSelected(new Set());
    reload();
  };
  const save = async (ids: string[]) => {
    setSaving(ids.length);
    setExported(0);
    const blob = await library.export(ids, setExported);
    setExported(undefined);
    const name = collections.rows.find(({ id }) => id === query.collection)?.name ?? 'games';
    if (blob) saveFile(`${name}.pgn`, blob);
  };
  const edit = async (id: string) => {
    const { game = '', tags } = (await library.tags(id)) ?? {};
    if (tags) setEdited({ id, game, tags });
  };
  /** Saves all games of the list, as they are searched and filtered. */
  const saveAll = async () => {
    setExported(0);
    const ids = await library.ids(settledQuery);
    if (ids.length > 0) await save(ids);
    else setExported(undefined);
  };
  const selectAll = async () => {
    const ids = await library.ids(settledQuery);
    // Another list may be shown by now.
    if (latestQuery.current === settledQuery) setSelected(new Set(ids));
  };
  useStyle(style);
  return (
    <dialog ref={dialog} class="library" onClose={onClose} aria-label={message('library')}>
      <div class="library-header">
        <h2>{message('library')}</h2>
        <label class="button primary">
          <Plus />
          {message('importFile')}
          <input
            type="file"
            multiple
            // A disabled field would lose the focus.
            aria-disabled={Boolean(file)}
            onClick={(event) => file && event.preventDefault()}
            onChange={(event) => {
              setReport(undefined);
              const chosenFiles = gameFiles(takeFiles(event.currentTarget));
              if (chosenFiles) setFile(chosenFiles);
              else client.update({ standaloneError: pageMessage('errorOneFile') });
            }}
          />
        </label>
        <button onClick={onClose}>{pageMessage('close')}</button>
      </div>
      <LibraryCollections library={library} collections={collections} query={query} onChange={change} />
      <div class="library-main">
        <ImportPanel library={library} file={file} report={report} onDone={onImported} onClose={() => setReport(undefined)} />
        <LibraryFilters library={library} state={state} collections={collections} query={query} onChange={change} />
        <div class="library-bar">
          <ErrorBanner client={client} state={state} onOpened={onClose} />
          <NoticeBar client={client} state={state} />
          <span class="count" role="status">
            {exported !== undefined && message('exporting', exported, saving)}
            {exported === undefined && selected.size > 0 && message('selectedCount', selected.size)}
            {exported === undefined && selected.size === 0 && total !== undefined && (total === 1 ? message('oneGame') : message('gameCount', total))}
          </span>
          {selected.size === 0 && Boolean(total) && (
            <>
              <button class="small" onClick={() => void selectAll()}>{message('selectAll')}</button>
              {!query.deleted && (
                <button class="small" {...pressable(exported === undefined, () => void saveAll())}>{message('exportAll')}</button>
              )}
            </>
          )}
          {selected.size > 0 && query.deleted && (
            <DeletedGameActions library={library} selected={selected} onDone={onRemoved} />
          )}
          {chosen.length === 1 && !query.deleted && (
            <>
              <button class="small" onClick={() => void openSelected(chosen[0] ?? '')}>{message('open')}</button>
              <button class="small" onClick={() => void edit(chosen[0] ?? '')}>{message('edit')}</button>
            </>
          )}
          {selected.size > 0 && !query.deleted && (
            <>
              <button class="small" {...pressable(exported === undefined, () => void save(chosen))}>
                {message('exportGames')}
              </button>
              <button class="small" onClick={() => void remove()}>{message('deleteGames')}</button>
            </>
          )}
          {selected.size > 0 && (
            <button class="small" onClick={() => setSelected(new Set())}>{message('clearSelection')}</button>
          )}
        </div>
        {total === 0 && <p class="library-message">{message(emptyMessage)}</p>}
        <LibraryList
          library={library}
          query={settledQuery}
          revision={revision}
          connected={state.connected}
          games={state.games}
          language={language}
          selected={selected}
          openId={state.game?.id}
          onSelect={setSelected}
          onSelectAll={() => void selectAll()}
          place={kept?.place}
          onPlace={(now) => (place.current = now)}
          onSort={(sort) => change({ sort, descending: query.sort === sort ? !query.descending : isUsuallyDescending(sort) })}
          onOpen={(row, index) => (query.deleted ? setSelected(new Set([row.id])) : void open(row, index))}
          onDelete={() => !query.deleted && void remove()}
          onTotal={setTotal}
        />
      </div>
      {edited && (
        <DetailsDialog
          client={client}
          state={state}
          tags={edited.tags}
          game={state.games.find(({ game }) => game === edited.game)}
          onSave={(tags) => library.setTags(edited.id, tags)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </dialog>
  );
}

/** Returns a value that has not changed for a moment; other changes than of the search words are taken at once. */
function useSettled(query: LibraryQuery): LibraryQuery {
  const [settled, setSettled] = useState(query);
  useEffect(() => {
    const onlyWords = JSON.stringify({ ...query, search: '' }) === JSON.stringify({ ...settled, search: '' });
    const timer = setTimeout(() => setSettled(query), onlyWords && query.search ? SEARCH_DELAY_MS : 0);
    return () => clearTimeout(timer);
  }, [query]);
  return settled;
}
