import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Game, Shown } from './game';
import { receive, written } from './file';
import { formatDate, gameTitleByName } from './names';
import { useMessage } from './language';
import { ErrorBanner } from './error-banner';

interface Props {
  game: Game;
  shown: Shown;
  onClose(): void;
}

/** How wide a saved picture is, in pixels. */
const PICTURE_WIDTH = 1080;

/** Games that are kept, what others sent, and what one gives away: texts and pictures. */
export function Share({ game, shown, onClose }: Props) {
  const message = useMessage();
  const dialog = useRef<HTMLDialogElement>(null);
  const position = useRef<HTMLInputElement>(null);
  const moves = useRef<HTMLTextAreaElement>(null);
  const [pasted, setPasted] = useState('');
  const [text, setText] = useState('');
  const [copied, setCopied] = useState('');
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    void game.list();
    void game.inquire({ do: 'export' }).then((answer) => setText(answer?.text ?? ''));
  }, []);
  const open = async (words: string, bytes = false) => {
    if (await receive(game, words, bytes)) onClose();
  };
  const read = async (file: File | undefined) => {
    if (file) await open(...(await written(file)));
  };
  const copy = async (what: string, field: HTMLInputElement | HTMLTextAreaElement | null) => {
    if (!field) return;
    field.select();
    // A page that came over a network without encryption has no clipboard, but what is selected can be copied; by hand at least.
    const done = await navigator.clipboard?.writeText(field.value).then(() => true, () => false);
    setCopied(done || document.execCommand('copy') ? what : '');
  };
  const picture = async (kind: 'svg' | 'png') => {
    const svg = game.picture();
    if (svg) save(`diagram.${kind}`, kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await painted(svg));
  };
  const fen = shown.position?.fen ?? '';
  return (
    <dialog ref={dialog} class="share" onClose={onClose} aria-label={message('share')}>
      <h2>{message('share')}</h2>
      <label class="field">
        {message('pasteText')}
        <textarea
          rows={3}
          value={pasted}
          spellcheck={false}
          onInput={(event) => setPasted(event.currentTarget.value)}
        />
      </label>
      <ErrorBanner game={game} shown={shown} onOpened={onClose} />
      <div class="deeds">
        <label class="button">
          {message('openFile')}
          <input type="file" onChange={(event) => void read(event.currentTarget.files?.[0])} />
        </label>
        <button class="strong" disabled={!pasted.trim()} onClick={() => void open(pasted)}>
          {message('openText')}
        </button>
      </div>
      <label class="field">
        {message('position')}
        <span class="row">
          <input ref={position} readOnly value={fen} />
          <button onClick={() => void copy('fen', position.current)}>{message(copied === 'fen' ? 'copied' : 'copy')}</button>
        </span>
      </label>
      <label class="field">
        {message('movesText')}
        <textarea ref={moves} class="moves" readOnly rows={4} value={text} />
      </label>
      <div class="deeds">
        <button onClick={() => void copy('moves', moves.current)}>{message(copied === 'moves' ? 'copied' : 'copy')}</button>
        <button onClick={() => save('game.pgn', new Blob([text], { type: 'application/x-chess-pgn' }))}>{message('saveFile')}</button>
        <button onClick={() => void picture('svg')}>{message('picture')} SVG</button>
        <button onClick={() => void picture('png')}>{message('picture')} PNG</button>
      </div>
      <h3>{message('savedGames')}</h3>
      {shown.kept.length === 0 && <p class="help">{message('noSavedGames')}</p>}
      <ul class="kept">
        {shown.kept.map((one) => (
          <li key={one.id}>
            <button class="plain" aria-current={one.id === shown.game?.id} onClick={() => void game.open(one.id).then((done) => done && onClose())}>
              {message('savedGame', gameTitleByName(shown.games, one.game, shown.language), one.plies)}
              <small>{formatDate(one.changed, shown.language)}</small>
            </button>
            <button class="plain icon" aria-label={message('deleteGame')} title={message('deleteGame')} onClick={() => void game.discard(one.id)}>
              ✕
            </button>
          </li>
        ))}
      </ul>
      <div class="deeds">
        {shown.more && <button onClick={() => void game.list(shown.kept)}>{message('moreGames')}</button>}
        <button onClick={onClose}>{message('close')}</button>
      </div>
    </dialog>
  );
}

/** Gives a file to the browser to keep. */
function save(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A picture of lines as a picture of dots. */
async function painted(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE_WIDTH;
  canvas.height = Math.round((PICTURE_WIDTH * image.naturalHeight) / image.naturalWidth);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), 'image/png'));
}
