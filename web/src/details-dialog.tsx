import { useRef, useState } from 'preact/hooks';
import { ErrorBanner } from './error-banner';
import type { GameClient } from './game-client';
import { tagValue } from './game-texts';
import { useMessage } from './language';
import { useLaterMessage } from './later-messages';
import type { MessageKey } from './messages';
import { useModalDialog } from './modal-dialog';
import { sideNames } from './names';
import type { AppearanceDto, GameName } from './wire/types';
import type { UiState } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  /** The tags of the game. */
  tags: [string, string][];
  /** The game, for the names of its sides. */
  game: Pick<GameName, 'sides' | 'sides_zh'> | Pick<AppearanceDto, 'sides' | 'sides_zh'> | undefined;
  /** Saves the tags. Returns false, and shows an error, if they cannot be saved. */
  onSave(tags: [string, string][]): Promise<boolean>;
  onClose(): void;
}

/** The tags that have a field, besides the players, and the names of their fields. */
const FIELDS: [tag: string, label: MessageKey][] = [
  ['Event', 'tagEvent'],
  ['Site', 'tagSite'],
  ['Date', 'tagDate'],
  ['Round', 'tagRound'],
];
const RESULTS = ['1-0', '0-1', '1/2-1/2'];

/** The dialog with the names of the players, the event and the result. Other tags of an imported game are kept. */
export function DetailsDialog({ client, state, tags, game, onSave, onClose }: Props) {
  const message = useMessage();
  const laterText = useLaterMessage();
  const dialog = useModalDialog(onClose);
  const sides = game?.sides ?? [];
  const names = game ? sideNames(game, state.language) : [];
  const players = sides.flatMap((side, i): [string, string][] => {
    const name = names[i] ?? side;
    return [[side, name], [`${side}Elo`, laterText('ratingOf', name)]];
  });
  const fields = [...players, ...FIELDS.map(([tag, key]): [string, string] => [tag, message(key)])];
  const known = [...fields.map(([tag]) => tag), 'Result'];
  /** What the user has changed. Other tags follow the game, which another window may change meanwhile. */
  const [edited, setEdited] = useState<Record<string, string>>({});
  const initialTags = useRef(tags);
  const value = (tag: string) => edited[tag] ?? tagValue({ tags }, tag);
  const change = (tag: string, text: string) => setEdited({ ...edited, [tag]: text });
  /** Returns what another window has written to a tag that the user has changed, too. */
  const otherText = (tag: string) => {
    const saved = tagValue({ tags }, tag);
    return edited[tag] !== undefined && saved !== edited[tag] && saved !== tagValue({ tags: initialTags.current }, tag) ? saved : undefined;
  };
  const save = async () => {
    const others = tags.filter(([tag]) => !known.includes(tag));
    // A value that is not edited stays as it is written: `????.05.11` is shown as unknown.
    const written = (tag: string) => tags.find(([name]) => name === tag)?.[1] ?? '';
    const changed = known.map((tag): [string, string] => [tag, edited[tag]?.trim() ?? written(tag)]);
    if (await onSave([...changed.filter(([, text]) => text), ...others])) onClose();
  };
  return (
    <dialog ref={dialog} class="details" onClose={onClose} aria-label={message('details')}>
      <h2>{message('details')}</h2>
      {fields.map(([tag, label]) => (
        <label class="field" key={tag}>
          {label}
          <input value={value(tag)} onInput={(event) => change(tag, event.currentTarget.value)} />
          {otherText(tag) !== undefined && <span class="help">{message('otherWindowWrote', otherText(tag) ?? '')}</span>}
        </label>
      ))}
      <label class="field">
        {message('tagResult')}
        <select value={value('Result')} onChange={(event) => change('Result', event.currentTarget.value)}>
          <option value="">{message('resultUnknown')}</option>
          {RESULTS.map((result) => (
            <option key={result}>{result}</option>
          ))}
        </select>
      </label>
      <ErrorBanner client={client} state={state} onOpened={onClose} />
      <div class="actions">
        <button onClick={onClose}>{message('cancel')}</button>
        <button class="primary" onClick={() => void save()}>
          {message('save')}
        </button>
      </div>
    </dialog>
  );
}
