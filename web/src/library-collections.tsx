import { useState } from 'preact/hooks';
import { useMessage } from './language';
import type { LibraryClient } from './library-client';
import { useLibraryMessage } from './library-messages';
import type { CollectionList, LibraryQuery } from './protocol';

interface Props {
  library: LibraryClient;
  collections: CollectionList;
  query: LibraryQuery;
  onChange(changes: Partial<LibraryQuery>): void;
}

/** The collections beside the list. The chosen one can be renamed and deleted. */
export function LibraryCollections({ library, collections, query, onChange }: Props) {
  const message = useLibraryMessage();
  const places = [
    { key: 'all', label: message('allGames'), games: collections.all, place: {} },
    { key: 'single', label: message('singleGames'), games: collections.single, place: { single: true } },
  ];
  const choose = (place: Partial<LibraryQuery>) => onChange({ collection: undefined, single: undefined, ...place });
  return (
    <nav class="library-collections" aria-label={message('collections')}>
      {places.map(({ key, label, games, place }) => (
        <button
          key={key}
          class="plain"
          aria-pressed={!query.collection && Boolean(query.single) === (key === 'single')}
          onClick={() => choose(place)}
        >
          <span>{label}</span>
          <small>{games.toLocaleString()}</small>
        </button>
      ))}
      {collections.rows.length > 0 && <h3>{message('collections')}</h3>}
      {collections.rows.map(({ id, name, games }) => (
        <div key={id}>
          <button class="plain" aria-pressed={id === query.collection} title={name} onClick={() => choose({ collection: id })}>
            <span>{name}</span>
            <small>{games.toLocaleString()}</small>
          </button>
          {id === query.collection && (
            <CollectionActions library={library} id={id} name={name} onDeleted={() => choose({})} />
          )}
        </div>
      ))}
    </nav>
  );
}

interface ActionProps {
  library: LibraryClient;
  id: string;
  name: string;
  onDeleted(): void;
}

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
          ref={(field) => void field?.focus()}
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
