import { useState } from 'preact/hooks';
import { takeFiles } from './file-field';
import { saveFile } from './save-file';
import type { GameClient } from './game-client';
import { useMessage } from './language';

/** Saves all games as one file, and adds those of such a file, where the games are kept in the browser. */
export function BackupButtons({ client }: { client: GameClient }) {
  const message = useMessage();
  const [count, setCount] = useState<number>();
  const { backup } = client;
  if (!backup) return null;
  const save = async () => {
    const file = await client.orShowError(backup.save());
    if (file) saveFile('alfil-games.json', file);
  };
  const load = async (file: File | undefined) => {
    if (!file) return;
    const loaded = await client.orShowError(backup.load(file));
    setCount(loaded);
    if (loaded !== undefined) await client.savedGames.load();
  };
  return (
    <>
      {count !== undefined && <span role="status">{message('gamesLoaded', count)}</span>}
      <button onClick={() => void save()}>{message('saveAllGames')}</button>
      <label class="button">
        {message('loadAllGames')}
        <input type="file" accept=".json" onChange={(event) => void load(takeFiles(event.currentTarget)[0])} />
      </label>
    </>
  );
}
