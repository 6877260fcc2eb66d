import { useState } from 'preact/hooks';
import type { GameClient } from './game-client';
import { useMessage } from './language';
import { loadPreference, savePreference } from './preferences';
import type { UiState } from './ui-state';

/** Offers once to show pictures instead of characters, in a game whose pieces have both. */
export function PicturesOffer({ client, state }: { client: GameClient; state: UiState }) {
  const message = useMessage();
  const { game, pieces = {} } = state.appearance ?? {};
  const [answered, setAnswered] = useState(loadPreference('picturesOffered', ''));
  const chosen = loadPreference(`pictures.${game}`, loadPreference('pictures', ''));
  const hasPictures = Object.values(pieces).some(({ picture }) => picture);
  // Readers of Chinese know the characters.
  if (answered || chosen || !hasPictures || state.language === 'zh') return null;
  const answer = (pictures: boolean) => {
    savePreference('picturesOffered', 'yes');
    setAnswered('yes');
    client.display.setPictures(pictures);
  };
  return (
    <div class="offer" role="group" aria-label={message('picturesOffer')}>
      <span>{message('picturesOffer')}</span>
      <button class="small" onClick={() => answer(true)}>
        {message('picturesYes')}
      </button>
      <button class="small" onClick={() => answer(false)}>
        {message('picturesNo')}
      </button>
    </div>
  );
}
