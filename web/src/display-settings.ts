import type { ClientActions } from './client-actions';
import type { Language } from './messages';
import { preferredDialect } from './names';
import { savePreference } from './preferences';

/** How the page shows a game and sounds. All settings but the side at the bottom are remembered. */
export class DisplaySettings {
  constructor(private readonly client: ClientActions) {}

  flipBoard(): void {
    this.client.update({ flipped: !this.client.state.flipped });
  }

  setMuted(muted: boolean): void {
    savePreference('muted', muted ? 'yes' : 'no');
    this.client.update({ muted });
  }

  /** Sets whether the pieces of the open game have their alternative drawing. Each game has a setting of its own. */
  setPictures(pictures: boolean): void {
    savePreference(`pictures.${this.client.state.appearance?.game}`, pictures ? 'yes' : 'no');
    this.client.update({ pictures });
  }

  setShowsMoves(showsMoves: boolean): void {
    savePreference('showsMoves', showsMoves ? 'yes' : 'no');
    this.client.update({ showsMoves });
  }

  setTurnsBoard(turnsBoard: boolean): void {
    savePreference('turnsBoard', turnsBoard ? 'yes' : 'no');
    this.client.update({ turnsBoard });
  }

  setLanguage(language: Language): void {
    savePreference('language', language);
    // An error is shown in the language of its request, so it is cleared.
    this.client.update({ language, error: undefined, otherGameText: undefined });
    const { game } = this.client.state;
    const name = game && preferredDialect(game, language);
    if (name && name !== game.dialect) void this.client.sendDialect(name);
  }

  setReplySeconds(replySeconds: number): void {
    savePreference('seconds', String(replySeconds));
    this.client.update({ replySeconds });
    this.client.sendPace();
  }
}
