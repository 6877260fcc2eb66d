import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { boardAppearance } from './board-data';
import { ErrorBanner } from './error-banner';
import type { GameClient } from './game-client';
import { useMessage } from './language';
import { useLaterMessage } from './later-messages';
import { useModalDialog } from './modal-dialog';
import { gameTitle } from './names';
import { PieceIcon } from './piece-icon';
import type { UiState } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  theme: string;
  onTheme(theme: string): void;
  onHelp(dialog: 'lessons' | 'keys'): void;
  onClose(): void;
}

/** The dialog for language, theme, board, pieces, sound, notation and ruleset. */
export function SettingsDialog({ client, state, theme, onTheme, onHelp, onClose }: Props) {
  const message = useMessage();
  const laterText = useLaterMessage();
  const dialog = useModalDialog(onClose);
  const { game, language } = state;
  const appearance = useMemo(
    () => state.appearance && boardAppearance(state.appearance, language),
    [state.appearance, language],
  );
  // The example is a piece that has a picture, if there is one, because the choice changes how it looks.
  const letters = Object.keys(appearance?.pieces ?? {});
  const example = letters.find((letter) => appearance?.pieces[letter]?.picture) ?? letters[0];
  const themes = { auto: laterText('themeSystem'), light: laterText('themeLight'), dark: laterText('themeDark') };
  const dialectLabel = (index: number) => {
    const sample = game?.samples[index];
    return language === 'zh' ? `${sample}（${game?.dialects_zh[index]}）` : `${sample} (${game?.dialects_en[index]})`;
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={message('settings')}>
      <form method="dialog">
        <h2>{message('settings')}</h2>
        <RadioGroup
          name={message('language')}
          value={language}
          options={{ en: 'English', zh: '中文' }}
          onChoose={(value) => client.display.setLanguage(value)}
        />
        <RadioGroup name={laterText('theme')} value={theme} options={themes} onChoose={onTheme} />
        {appearance && example !== undefined && (
          <RadioGroup
            name={laterText('pieces')}
            value={state.pictures ? 'alternative' : 'default'}
            options={{
              default: [
                <PieceIcon appearance={appearance} letter={example} pictures={false} />,
                laterText('piecesDefault'),
              ],
              alternative: [
                <PieceIcon appearance={appearance} letter={example} pictures />,
                laterText('piecesAlternative'),
              ],
            }}
            onChoose={(value) => client.display.setPictures(value === 'alternative')}
          />
        )}
        <RadioGroup
          name={laterText('sound')}
          value={state.muted ? 'off' : 'on'}
          options={{ on: laterText('on'), off: laterText('off') }}
          onChoose={(value) => client.display.setMuted(value === 'off')}
        />
        <RadioGroup
          name={laterText('showsMoves')}
          value={state.showsMoves ? 'on' : 'off'}
          options={{ on: laterText('on'), off: laterText('off') }}
          onChoose={(value) => client.display.setShowsMoves(value === 'on')}
        />
        {game?.two_people && (
          <RadioGroup
            name={laterText('turnsBoard')}
            value={state.turnsBoard ? 'on' : 'off'}
            options={{ on: laterText('on'), off: laterText('off') }}
            onChoose={(value) => client.display.setTurnsBoard(value === 'on')}
          />
        )}
        {game && game.dialects.length > 1 && (
          <label class="field">
            {laterText('notation')}
            <select value={game.dialect} onChange={(event) => void client.setDialect(event.currentTarget.value)}>
              {game.dialects.map((name, i) => (
                <option key={name} value={name}>
                  {dialectLabel(i)}
                </option>
              ))}
            </select>
          </label>
        )}
        {game && game.rulesets.length > 1 && (
          <label class="field">
            {message('ruleset')}
            <select value={game.ruleset ?? ''} onChange={(event) => void client.setRuleset(event.currentTarget.value)}>
              {game.rulesets.map((ruleset) => (
                <option key={ruleset.name} value={ruleset.name}>
                  {gameTitle(ruleset, language)}
                </option>
              ))}
            </select>
          </label>
        )}
        <div class="toolbar">
          {(['lessons', 'keys'] as const).map((name) => (
            <button type="button" class="small" key={name} onClick={() => onHelp(name)}>
              {message(name)}
            </button>
          ))}
        </div>
        <ErrorBanner client={client} state={state} onOpened={onClose} />
        <div class="actions">
          <button class="primary" type="submit">
            {message('close')}
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface RadioGroupProps<T extends string> {
  name: string;
  value: string;
  options: Record<T, ComponentChildren>;
  onChoose(value: T): void;
}

/** A group of radio buttons. */
function RadioGroup<T extends string>({ name, value, options, onChoose }: RadioGroupProps<T>) {
  return (
    <fieldset>
      <legend>{name}</legend>
      {(Object.keys(options) as T[]).map((option) => (
        <label class="option" key={option}>
          <input type="radio" name={name} checked={value === option} onChange={() => onChoose(option)} />
          {options[option]}
        </label>
      ))}
    </fieldset>
  );
}
