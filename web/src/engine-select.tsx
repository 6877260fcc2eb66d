import { useEffect, useState } from 'preact/hooks';
import type { GameClient } from './game-client';

interface Props {
  client: GameClient;
  game: string;
  label: string;
  value: string | undefined;
  onChoose(name: string | undefined): void;
}

/** The choice between the built-in engine and the external ones; nothing if there are none of these. */
export function EngineSelect({ client, game, label, value, onChoose }: Props) {
  const [names, setNames] = useState<string[]>([]);
  useEffect(() => {
    void client.externalEngines.enginesFor(game).then((found) => {
      setNames(found);
      // An engine that the server no longer has cannot be seen, and would refuse to play.
      if (client.state.connected && value !== undefined && !found.includes(value)) onChoose(undefined);
    });
  }, [game]);
  if (names.length === 0) return null;
  return (
    <label class="inline-field">
      {label}
      <select value={value ?? ''} onChange={(event) => onChoose(event.currentTarget.value || undefined)}>
        <option value="">Alfil</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
