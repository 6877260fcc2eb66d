import { isUsuallyDescending } from './library-columns';
import { ALL_GAMES, CollectionActions, PLACES, placeOf } from './library-collections';
import type { LibraryClient } from './library-client';
import { type LibraryMessageKey, useLibraryMessage } from './library-messages';
import { resultText } from './game-texts';
import { gameTitle } from './names';
import type { CollectionList, LibraryQuery, LibrarySort, SearchField } from './wire/types';
import type { UiState } from './ui-state';

interface Props {
  library: LibraryClient;
  state: UiState;
  collections: CollectionList;
  query: LibraryQuery;
  onChange(changes: Partial<LibraryQuery>): void;
}

const FIELDS: [SearchField, LibraryMessageKey][] = [
  ['player', 'players'],
  ['event', 'event'],
  ['opening', 'opening'],
];
const RESULTS = ['1-0', '0-1', '1/2-1/2'];
const SORTS: [LibrarySort, LibraryMessageKey][] = [
  ['changed', 'sortChanged'],
  ['date', 'sortDate'],
  ['players', 'players'],
  ['event', 'event'],
  ['opening', 'opening'],
  ['length', 'sortLength'],
  ['result', 'result'],
];

/** The search, the filters and the order of the list. */
export function LibraryFilters({ library, state, collections, query, onChange }: Props) {
  const message = useLibraryMessage();
  const { games, language, game, position } = state;
  const collection = collections.rows.find(({ id }) => id === query.collection);
  const choosePlace = (value: string) => onChange({ ...ALL_GAMES, ...(PLACES[value] ?? { collection: value }) });
  const chooseGame = (name: string) => onChange({ game: name || undefined, position: undefined });
  const choosePosition = (on: boolean) => onChange(on ? { game: game?.game, position: position?.fen } : { game: undefined, position: undefined });
  const chooseSort = (sort: LibrarySort) => onChange({ sort, descending: isUsuallyDescending(sort) });
  const direction = message(query.descending ? 'descending' : 'ascending');
  return (
    <div class="library-filters" role="search">
      <span class="library-collection-choice">
        <select aria-label={message('collection')} value={collection?.id ?? placeOf(query)} onChange={(event) => choosePlace(event.currentTarget.value)}>
          <option value="all">{message('allGames')}</option>
          <option value="single">{message('singleGames')}</option>
          {collections.rows.map(({ id, name }) => (
            <option key={id} value={id}>{name}</option>
          ))}
          {(collections.deleted > 0 || query.deleted) && <option value="deleted">{message('deletedGames')}</option>}
        </select>
        {collection && (
          <CollectionActions
            key={collection.id}
            library={library}
            id={collection.id}
            name={collection.name}
            onDeleted={() => choosePlace('all')}
          />
        )}
      </span>
      <span class="library-search">
        <input
          type="search"
          aria-label={message('searchGames')}
          placeholder={message('searchPlaceholder')}
          value={query.search}
          onInput={(event) => onChange({ search: event.currentTarget.value })}
        />
      </span>
      <select
        aria-label={message('searchIn')}
        value={query.field ?? ''}
        onChange={(event) => onChange({ field: (event.currentTarget.value || undefined) as SearchField | undefined })}
      >
        <option value="">{message('everywhere')}</option>
        {FIELDS.map(([field, key]) => (
          <option key={field} value={field}>{message(key)}</option>
        ))}
      </select>
      <select aria-label={message('anyGame')} value={query.game ?? ''} onChange={(event) => chooseGame(event.currentTarget.value)}>
        <option value="">{message('anyGame')}</option>
        {games.map((one) => (
          <option key={one.game} value={one.game}>{gameTitle(one, language)}</option>
        ))}
      </select>
      <select
        aria-label={message('result')}
        value={query.result ?? ''}
        onChange={(event) => onChange({ result: event.currentTarget.value || undefined })}
      >
        <option value="">{message('anyResult')}</option>
        {RESULTS.map((result) => (
          <option key={result} value={result}>{resultText(result)}</option>
        ))}
      </select>
      <select
        aria-label={message('sortBy')}
        value={query.sort}
        onChange={(event) => chooseSort(event.currentTarget.value as LibrarySort)}
      >
        {SORTS.map(([sort, key]) => (
          <option key={sort} value={sort}>{message(key)}</option>
        ))}
      </select>
      <button class="icon" aria-label={direction} title={direction} onClick={() => onChange({ descending: !query.descending })}>
        {query.descending ? '↓' : '↑'}
      </button>
      {position && (
        <label class="library-check">
          <input
            type="checkbox"
            checked={query.position !== undefined}
            onChange={(event) => choosePosition(event.currentTarget.checked)}
          />
          {message('withPosition')}
        </label>
      )}
    </div>
  );
}
