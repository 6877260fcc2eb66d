import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { DetailsDialog } from './details-dialog';
import { ErrorBanner } from './error-banner';
import { takeFile } from './file-field';
import type { GameClient } from './game-client';
import { Plus } from './icons';
import { useMessage } from './language';
import { LibraryClient } from './library-client';
import { ALL_GAMES, LibraryCollections } from './library-collections';
import { DeletedGameActions } from './library-deleted-games';
import { LibraryFilters } from './library-filters';
import { ImportPanel } from './library-import';
import { LibraryList, PICTURE_HEIGHT } from './library-list';
import { useLibraryMessage } from './library-messages';
import { Thumbnails } from './library-thumbnails';
import style from './library.css?inline';
import { useModalDialog } from './modal-dialog';
import { NoticeBar } from './notice-bar';
import { pressable } from './pressable';
import type { CollectionList, ImportProgress, LibraryQuery } from './wire/types';
import { saveFile } from './save-file';
import type { UiState } from './ui-state';
import { useStyle } from './use-style';

interface Props {
  client: GameClient;
  state: UiState;
  onClose(): void;
}

/** The time to wait for more letters before a search, in milliseconds. */
const SEARCH_DELAY_MS = 150;
const NO_COLLECTIONS: CollectionList = { all: 0, single: 0, deleted: 0, rows: [] };

/** The library: the collections, the list of games with search and filters, import and export. */
export function LibraryView({ client, state, onClose }: Props) {
  const { language } = state;
  const message = useLibraryMessage();
  const pageMessage = useMessage();
  const dialog = useModalDialog(onClose);
  const library = useMemo(() => new LibraryClient(client), [client]);
  const [collections, setCollections] = useState(NO_COLLECTIONS);
  const [thumbnails, setThumbnails] = useState<Thumbnails>();
  const [query, setQuery] = useState<LibraryQuery>(() => ({
    collection: state.libraryRequest?.imported?.collection ?? undefined,
    search: '',
    sort: 'changed',
    descending: true,
  }));
  const settledQuery = useSettled(query);
  const latestQuery = useRef(query);
  latestQuery.current = query;
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
    void library.looks().then(async (looks) => {
      const drawn = new Thumbnails(PICTURE_HEIGHT);
      await drawn.load(looks ?? {});
      setThumbnails(drawn);
    });
  }, []);
  const change = (changes: Partial<LibraryQuery>) => {
    setSelected(new Set());
    setQuery((former) => ({ ...former, ...changes }));
  };
  const open = async (id: string) => {
    if (await client.openGame(id)) onClose();
  };
  const onImported = (progress: ImportProgress | undefined) => {
    setFile(undefined);
    // Nothing was imported, and another request would remove the error.
    if (!progress) return;
    reload();
    if (!progress.collection && progress.first) return void open(progress.first);
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
            // A disabled field would lose the focus.
            aria-disabled={Boolean(file)}
            onClick={(event) => file && event.preventDefault()}
            onChange={(event) => {
              setReport(undefined);
              setFile(takeFile(event.currentTarget));
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
              <button class="small" onClick={() => void open(chosen[0] ?? '')}>{message('open')}</button>
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
          thumbnails={thumbnails}
          games={state.games}
          language={language}
          selected={selected}
          openId={state.game?.id}
          onSelect={setSelected}
          onSelectAll={() => void selectAll()}
          onOpen={(id) => (query.deleted ? setSelected(new Set([id])) : void open(id))}
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
