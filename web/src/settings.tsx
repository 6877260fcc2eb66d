import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { Face } from './face';
import type { Game, Shown } from './game';
import { rulesetTitle } from './names';
import { useMessage } from './language';

interface Props {
  game: Game;
  shown: Shown;
  theme: string;
  onTheme(theme: string): void;
  onClose(): void;
}

/** How the page looks, sounds and speaks. */
export function Settings({ game, shown, theme, onTheme, onClose }: Props) {
  const message = useMessage();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const { look } = shown;
  // Where there are pictures, a man that has one shows best what the choice is about.
  const letters = Object.keys(look?.men ?? {});
  const sample = letters.find((letter) => look?.men[letter]?.picture) ?? letters[0];
  const themes = { auto: message('themeSystem'), light: message('themeLight'), dark: message('themeDark') };
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={message('settings')}>
      <form method="dialog">
        <h2>{message('settings')}</h2>
        <Choice name={message('language')} value={shown.language} choices={{ en: 'English', zh: '中文' }} onChoose={(one) => game.speak(one)} />
        <Choice name={message('theme')} value={theme} choices={themes} onChoose={onTheme} />
        {look && sample !== undefined && (
          <Choice
            name={message('pieces')}
            value={shown.pictures ? 'other' : 'usual'}
            choices={{
              usual: [<Face look={look} letter={sample} pictures={false} />, message('piecesStandard')],
              other: [<Face look={look} letter={sample} pictures />, message('piecesAlternative')],
            }}
            onChoose={(one) => game.pictures(one === 'other')}
          />
        )}
        <Choice
          name={message('sound')}
          value={shown.muted ? 'off' : 'on'}
          choices={{ on: message('on'), off: message('off') }}
          onChoose={(one) => game.mute(one === 'off')}
        />
        {shown.game && shown.game.dialects.length > 1 && (
          <label class="field">
            {message('notation')}
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
            {message('ruleset')}
            <select value={shown.game.book ?? ''} onChange={(event) => void game.book(event.currentTarget.value)}>
              {shown.game.books.map((one) => (
                <option key={one.name} value={one.name}>
                  {rulesetTitle(one, shown.language)}
                </option>
              ))}
            </select>
          </label>
        )}
        <div class="deeds">
          <button class="strong" type="submit">
            {message('close')}
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
