import { useEffect, useRef, useState } from 'preact/hooks';
import { BackupButtons } from './backup-buttons';
import { copyText } from './copy-text';
import { ErrorBanner } from './error-banner';
import { takeFiles } from './file-field';
import type { GameClient } from './game-client';
import { eventNameText, gameLength, playerText, resultText, tagValue } from './game-texts';
import { useMessage } from './language';
import { useLaterMessage } from './later-messages';
import { message as pageMessage } from './messages';
import { pressable } from './pressable';
import { PrintDialog } from './lazy-parts';
import { MAX_LINK_LENGTH, gameLink, positionLink } from './link';
import { useModalDialog } from './modal-dialog';
import { formatDate, gameTitleByName } from './names';
import { NoticeBar } from './notice-bar';
import type { SavedGame } from './wire/types';
import { saveFile } from './save-file';
import { importFile, importText } from './text-import';
import type { UiState } from './ui-state';

interface Props {
  client: GameClient;
  state: UiState;
  onOpenLibrary(): void;
  onClose(): void;
}

/** The width of a saved PNG image, in pixels. */
const IMAGE_WIDTH = 1080;

/**
 * The dialog that opens pasted text, files and saved games, and exports the position, the moves and an image of the
 * board.
 */
export function ShareDialog({ client, state, onOpenLibrary, onClose }: Props) {
  const message = useMessage();
  const laterText = useLaterMessage();
  const dialog = useModalDialog(onClose);
  const positionField = useRef<HTMLInputElement>(null);
  const movesField = useRef<HTMLTextAreaElement>(null);
  const linkField = useRef<HTMLInputElement>(null);
  const [pastedText, setPastedText] = useState('');
  const [exportedText, setExportedText] = useState('');
  const [link, setLink] = useState('');
  const [printing, setPrinting] = useState(false);
  const [copiedField, setCopiedField] = useState<'fen' | 'moves' | 'link'>();
  useEffect(() => void client.savedGames.load(), []);
  // The game may change while the dialog is open: edits are undone by the keyboard, and other windows play.
  useEffect(() => {
    const exported = async (review?: boolean) => (await client.requestQuietly({ do: 'export', review }))?.text;
    void exported().then(async (text) => {
      if (text === undefined) return;
      // A link is short without the review.
      setExportedText((state.review && (await exported(true))) || text);
      setLink(await linkTo(state, text));
    });
  }, [state.game, state.edits, state.node, state.connected, state.review]);
  const openText = async (text: string) => {
    if (await importText(client, text)) onClose();
  };
  const openFiles = async (files: File[]) => {
    if (files.length > 0 && (await importFile(client, files))) onClose();
  };
  const copy = async (name: 'fen' | 'moves' | 'link', field: HTMLInputElement | HTMLTextAreaElement | null) => {
    if (!field) return;
    field.select();
    setCopiedField((await copyText(field.value, field)) ? name : undefined);
  };
  const saveImage = async (format: 'svg' | 'png') => {
    const svg = client.snapshot();
    if (!svg) return;
    saveFile(`diagram.${format}`, format === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await toPng(svg));
  };
  const saveMoves = () => saveFile(`${gameFileName(state)}.pgn`, new Blob([exportedText], { type: 'application/x-chess-pgn' }));
  const openSavedGame = async (id: string) => {
    if (await client.openGame(id)) onClose();
  };
  return (
    <dialog ref={dialog} class="share" onClose={onClose} aria-label={message('share')}>
      <h2>{message('share')}</h2>
      <label class="field">
        {laterText('pasteText')}
        <textarea
          rows={3}
          value={pastedText}
          spellcheck={false}
          onInput={(event) => setPastedText(event.currentTarget.value)}
        />
      </label>
      <ErrorBanner client={client} state={state} onOpened={onClose} />
      <div class="actions">
        <label class="button">
          {laterText('openFile')}
          <input type="file" multiple onChange={(event) => void openFiles(takeFiles(event.currentTarget))} />
        </label>
        <button class="primary" disabled={!pastedText.trim()} onClick={() => void openText(pastedText)}>
          {laterText('openText')}
        </button>
      </div>
      <label class="field">
        {message('position')}
        <span class="row">
          <input ref={positionField} readOnly value={state.position?.fen ?? ''} />
          <button onClick={() => void copy('fen', positionField.current)}>
            {message(copiedField === 'fen' ? 'copied' : 'copy')}
          </button>
        </span>
      </label>
      <label class="field">
        {laterText('movesText')}
        <textarea ref={movesField} class="moves" readOnly rows={4} value={exportedText} />
      </label>
      <div class="actions">
        <button onClick={() => void copy('moves', movesField.current)}>
          {message(copiedField === 'moves' ? 'copied' : 'copy')}
        </button>
        <button {...pressable(exportedText !== '', saveMoves)}>{laterText('saveFile')}</button>
        <button onClick={() => setPrinting(true)}>{message('print')}</button>
      </div>
      <div class="actions">
        <button onClick={() => void saveImage('svg')}>{message('picture')} SVG</button>
        <button onClick={() => void saveImage('png')}>{message('picture')} PNG</button>
      </div>
      <label class="field">
        {laterText(link.length > MAX_LINK_LENGTH ? 'gameLinkLong' : 'gameLink')}
        <span class="row">
          <input ref={linkField} class="link" readOnly value={link} />
          <button onClick={() => void copy('link', linkField.current)}>
            {message(copiedField === 'link' ? 'copied' : 'copy')}
          </button>
        </span>
        {isLocalHost(location.hostname) && <small class="help">{laterText('localLink')}</small>}
      </label>
      {printing && <PrintDialog client={client} state={state} onClose={() => setPrinting(false)} />}
      <h3>{laterText('savedGames')}</h3>
      <NoticeBar client={client} state={state} />
      {state.savedGames.length === 0 && <p class="help">{laterText('noSavedGames')}</p>}
      <ul class="saved-games">
        {state.savedGames.map(({ id, changed, ...saved }) => (
          <li key={id}>
            <button class="plain" aria-current={id === state.game?.id} onClick={() => void openSavedGame(id)}>
              <span>{savedGameText(saved, state)}</span>
              <small>{formatDate(changed, state.language)}</small>
            </button>
            <button
              class="plain icon"
              aria-label={laterText('deleteGame')}
              title={laterText('deleteGame')}
              onClick={() => void client.savedGames.delete(id)}
            >
              ✕
            </button>
          </li>
        ))}
      </ul>
      <div class="actions">
        {state.hasMoreSavedGames && (
          <button onClick={() => void client.savedGames.load(state.savedGames)}>{laterText('moreGames')}</button>
        )}
        <button onClick={onOpenLibrary}>{message('library')}</button>
        <BackupButtons client={client} />
        <button onClick={onClose}>{message('close')}</button>
      </div>
    </dialog>
  );
}

/** Returns the names, the result and the event of a saved game, as far as they are known, its kind and its length. */
export function savedGameText(saved: Omit<SavedGame, 'id' | 'changed'>, { games, language }: Pick<UiState, 'games' | 'language'>): string {
  const { game, plies, players, result, score, event, damaged } = saved;
  if (damaged) return `${pageMessage(language, 'damagedGame')} · ${gameTitleByName(games, game, language)}`;
  const names = players.some((name) => name) ? players.map((name) => playerText(name, language) || '?').join(' – ') : '';
  const known = [names, names && resultText(result, score), eventNameText(event, language)];
  const parts = [...known, gameTitleByName(games, game, language), gameLength(games, game, plies, language)];
  return parts.filter((part) => part).join(' · ');
}

/** Returns whether an address with this host leads to this computer alone. */
export function isLocalHost(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0|)$/.test(host);
}

/** Returns the name of the file of a game: players and year, else the event, else the kind of game and today's date. */
export function gameFileName({ game, appearance }: Pick<UiState, 'game' | 'appearance'>, today = new Date()): string {
  const players = (appearance?.sides ?? []).map((side) => tagValue(game, side));
  const year = /^\d{4}/.exec(tagValue(game, 'Date'))?.[0];
  const event = tagValue(game, 'Event');
  const named = players.some((name) => name) ? players.map((name) => name || '?') : event ? [event] : undefined;
  const parts = named ? [...named, year] : [game?.game, today.toISOString().slice(0, 10)];
  // The characters that file systems do not take.
  const clean = (part: string) => part.replace(/[\s\u0000-\u001f<>:"/\\|?*,.]+/g, '_').replace(/^_+|_+$/g, '');
  return parts.map((part) => clean(part ?? '')).filter((part) => part).join('-').slice(0, 120) || 'game';
}

/** Returns a link to the game at the position that is shown, or to the position if there are no moves. */
async function linkTo({ game, tree, node, position }: UiState, pgn: string | undefined): Promise<string> {
  if (!game) return '';
  const page = location.href.split('#')[0];
  if (!pgn || tree.moveCount === 0) return page + positionLink(game.game, position?.fen ?? '');
  // A variation is in the game, but a ply counts along the main line.
  const line = tree.lineThrough(0);
  const ply = line.findIndex((each) => each.node === node);
  return page + (await gameLink(game.game, pgn, ply < 0 ? line.length - 1 : ply));
}

/** Converts an SVG image to PNG. */
async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = IMAGE_WIDTH;
  canvas.height = Math.round((IMAGE_WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    const onBlob = (blob: Blob | null) => (blob ? resolve(blob) : reject(new Error('cannot encode the PNG image')));
    canvas.toBlob(onBlob, 'image/png');
  });
}
