import { useContext, useState } from 'preact/hooks';
import { LanguageContext, useMessage } from './language';
import type { LibraryClient } from './library-client';
import { useLibraryMessage } from './library-messages';
import { pageLocale } from './names';
import type { CollectionList, LibraryQuery } from './wire/types';

/** The parts of a query that decide where games are looked for; `single` are the games in no collection. */
type Place = Pick<LibraryQuery, 'collection' | 'single' | 'deleted'>;

/** All games that are not deleted. */
export const ALL_GAMES: Place = { collection: undefined, single: undefined, deleted: undefined };
/** The places that are no collection, by their name. */
export const PLACES: Record<string, Place> = { all: ALL_GAMES, single: { single: true }, deleted: { deleted: true } };

/** Returns the name of the place of a query that is no collection. */
export function placeOf({ collection, single, deleted }: LibraryQuery): string | undefined {
  if (deleted) return 'deleted';
  return collection ? undefined : single ? 'single' : 'all';
}

interface Props {
  library: LibraryClient;
  collections: CollectionList;
  query: LibraryQuery;
  onChange(changes: Partial<LibraryQuery>): void;
}

/** The collections beside the list. The chosen one can be renamed and deleted. */
export function LibraryCollections({ library, collections, query, onChange }: Props) {
  const message = useLibraryMessage();
  const locale = pageLocale(useContext(LanguageContext));
  const places = [
    { key: 'all', label: message('allGames'), games: collections.all },
    { key: 'single', label: message('singleGames'), games: collections.single },
  ];
  const deleted = { key: 'deleted', label: message('deletedGames'), games: collections.deleted };
  const choose = (place: Place = {}) => onChange({ ...ALL_GAMES, ...place });
  const placeButton = ({ key, label, games }: (typeof places)[number]) => (
    <button key={key} class="plain" aria-pressed={placeOf(query) === key} onClick={() => choose(PLACES[key])}>
      <span>{label}</span>
      <small>{games.toLocaleString(locale)}</small>
    </button>
  );
  return (
    <nav class="library-collections" aria-label={message('collections')}>
      {places.map(placeButton)}
      {collections.rows.length > 0 && <h3>{message('collections')}</h3>}
      {collections.rows.map(({ id, name, games }) => (
        <div key={id}>
          <button class="plain" aria-pressed={id === query.collection} title={name} onClick={() => choose({ collection: id })}>
            <span>{name}</span>
            <small>{games.toLocaleString(locale)}</small>
          </button>
          {id === query.collection && (
            <CollectionActions library={library} id={id} name={name} onDeleted={choose} />
          )}
        </div>
      ))}
      {(deleted.games > 0 || query.deleted) && placeButton(deleted)}
    </nav>
  );
}

interface ActionProps {
  library: LibraryClient;
  id: string;
  name: string;
  onDeleted(): void;
}

const focus = (field: HTMLElement | null) => field?.focus();

/** The buttons that rename and delete a collection. */
export function CollectionActions({ library, id, name, onDeleted }: ActionProps) {
  const message = useLibraryMessage();
  const pageMessage = useMessage();
  const [newName, setNewName] = useState<string>();
  const rename = async (event: Event) => {
    event.preventDefault();
    const text = newName?.trim() ?? '';
    if (text && text !== name && !(await library.renameCollection(id, name, text))) return;
    setNewName(undefined);
  };
  const remove = async () => {
    if (await library.deleteCollection(id, name)) onDeleted();
  };
  if (newName !== undefined) {
    return (
      <form class="row" onSubmit={(event) => void rename(event)}>
        <input
          class="rename"
          aria-label={message('collectionName')}
          value={newName}
          ref={focus}
          onInput={(event) => setNewName(event.currentTarget.value)}
        />
        <button class="small" type="submit">{pageMessage('save')}</button>
      </form>
    );
  }
  return (
    <div class="row collection-actions">
      <button class="small" onClick={() => setNewName(name)}>{message('renameCollection')}</button>
      <button class="small" aria-label={message('deleteCollection')} title={message('deleteCollection')} onClick={() => void remove()}>
        {message('deleteGames')}
      </button>
    </div>
  );
}
