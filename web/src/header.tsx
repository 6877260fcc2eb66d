import type { ComponentChildren } from 'preact';
import type { GameClient } from './game-client';
import { Books, ChevronDown, Gear, Grid, Help, Moon, Plus, ShareArrow, SoundOff, SoundOn, Sun } from './icons';
import { useMessage } from './language';
import { gameTitle } from './names';
import type { UiState } from './ui-state';

/** The name of a dialog of the page. */
export type DialogName = 'new' | 'setup' | 'share' | 'settings' | 'details' | 'library' | 'keys' | 'lessons' | 'quiz';

interface Props {
  client: GameClient;
  state: UiState;
  theme: string;
  onTheme(theme: string): void;
  onOpenDialog(name: DialogName): void;
}

/** The header of the page: the title of the game, the buttons that open dialogs, and quick settings. */
export function Header({ client, state, theme, onTheme, onOpenDialog }: Props) {
  const message = useMessage();
  const { appearance, language, muted } = state;
  const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  const otherLanguage = language === 'en' ? 'zh' : 'en';
  const themeLabel = message(dark ? 'switchToLight' : 'switchToDark');
  return (
    <header>
      <h1>Alfil</h1>
      {appearance && (
        <button class="plain game-title" title={message('newGame')} onClick={() => onOpenDialog('new')}>
          {gameTitle(appearance, language)}
          <ChevronDown />
        </button>
      )}
      <nav>
        <HeaderButton label={message('newGame')} icon={<Plus />} onClick={() => onOpenDialog('new')} />
        <HeaderButton label={message('setUp')} icon={<Grid />} onClick={() => onOpenDialog('setup')} />
        <HeaderButton label={message('share')} icon={<ShareArrow />} onClick={() => onOpenDialog('share')} />
        <HeaderButton label={message('library')} icon={<Books />} onClick={() => onOpenDialog('library')} />
        <button class="plain language" lang={otherLanguage} onClick={() => client.display.setLanguage(otherLanguage)}>
          {message('otherLanguage')}
        </button>
        <button
          class="plain icon quick-setting"
          aria-pressed={muted}
          title={message(muted ? 'soundOff' : 'soundOn')}
          aria-label={message('mute')}
          onClick={() => client.display.setMuted(!muted)}
        >
          {muted ? <SoundOff /> : <SoundOn />}
        </button>
        <button
          class="plain icon quick-setting"
          title={themeLabel}
          aria-label={themeLabel}
          onClick={() => onTheme(dark ? 'light' : 'dark')}
        >
          {dark ? <Sun /> : <Moon />}
        </button>
        <button
          class="plain icon wide-only"
          title={message('lessons')}
          aria-label={message('lessons')}
          onClick={() => onOpenDialog('lessons')}
        >
          <Help />
        </button>
        <button
          class="plain icon wide-only"
          title={message('settings')}
          aria-label={message('settings')}
          onClick={() => onOpenDialog('settings')}
        >
          <Gear />
        </button>
      </nav>
    </header>
  );
}

interface HeaderButtonProps {
  label: string;
  icon: ComponentChildren;
  onClick(): void;
}

/** A button of the header. On narrow screens its label is hidden. */
function HeaderButton({ label, icon, onClick }: HeaderButtonProps) {
  return (
    <button class="plain header-button" aria-label={label} title={label} onClick={onClick}>
      {icon}
      <span class="label">{label}</span>
    </button>
  );
}
