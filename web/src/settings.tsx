import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Face } from './face';
import type { Game, Shown } from './game';
import { bookTitle } from './names';
import { useWords } from './speech';

interface Props {
  game: Game;
  shown: Shown;
  theme: string;
  onTheme(theme: string): void;
  onClose(): void;
}

/** How the page looks, sounds and speaks. */
export function Settings({ game, shown, theme, onTheme, onClose }: Props) {
  const say = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const { look } = shown;
  // Where there are pictures, a man that has one shows best what the choice is about.
  const letters = Object.keys(look?.men ?? {});
  const sample = letters.find((letter) => look?.men[letter]?.picture) ?? letters[0];
  const themes = { auto: say('auto'), light: say('lightOnly'), dark: say('darkOnly') };
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={say('settings')}>
      <form method="dialog">
        <h2>{say('settings')}</h2>
        <Choice name={say('language')} value={shown.language} choices={{ en: 'English', zh: '中文' }} onChoose={(one) => game.speak(one)} />
        <Choice name={say('light')} value={theme} choices={themes} onChoose={onTheme} />
        {look && sample !== undefined && (
          <Choice
            name={say('pieces')}
            value={shown.pictures ? 'other' : 'usual'}
            choices={{
              usual: [<Face look={look} letter={sample} pictures={false} />, say('piecesUsual')],
              other: [<Face look={look} letter={sample} pictures />, say('piecesOther')],
            }}
            onChoose={(one) => game.pictures(one === 'other')}
          />
        )}
        <Choice
          name={say('sound')}
          value={shown.muted ? 'off' : 'on'}
          choices={{ on: say('on'), off: say('off') }}
          onChoose={(one) => game.mute(one === 'off')}
        />
        {shown.game && shown.game.dialects.length > 1 && (
          <label class="field">
            {say('notation')}
            <select value={shown.game.dialect} onChange={(event) => void game.dialect(event.currentTarget.value)}>
              {shown.game.dialects.map((one, i) => (
                <option key={one} value={one}>
                  {shown.language === 'zh' ? `${shown.game?.samples[i]}（${shown.game?.dialects_zh[i]}）` : `${shown.game?.samples[i]} (${shown.game?.dialects_en[i]})`}
                </option>
              ))}
            </select>
          </label>
        )}
        {shown.game && shown.game.books.length > 1 && (
          <label class="field">
            {say('book')}
            <select value={shown.game.book ?? ''} onChange={(event) => void game.book(event.currentTarget.value)}>
              {shown.game.books.map((one) => (
                <option key={one.name} value={one.name}>
                  {bookTitle(one, shown.language)}
                </option>
              ))}
            </select>
          </label>
        )}
        <div class="deeds">
          <button class="strong" type="submit">
            {say('close')}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface ChoiceProps<T extends string> {
  name: string;
  value: string;
  choices: Record<T, ComponentChildren>;
  onChoose(value: T): void;
}

function Choice<T extends string>({ name, value, choices, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset>
      <legend>{name}</legend>
      {(Object.keys(choices) as T[]).map((one) => (
        <label class="option" key={one}>
          <input type="radio" name={name} checked={value === one} onChange={() => onChoose(one)} />
          {choices[one]}
        </label>
      ))}
    </fieldset>
  );
}
