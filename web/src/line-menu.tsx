import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { copyText } from './copy-text';
import type { GameClient } from './game-client';
import { LanguageContext, useMessage } from './language';
import { PrintDialog } from './lazy-parts';
import style from './line-menu.css?inline';
import { markAfterKey, marksLike, withMark } from './marks';
import { pressable } from './pressable';
import type { NagDto } from './wire/types';
import { useLaterMessage } from './later-messages';
import type { UiState } from './ui-state';
import { useStyle } from './use-style';

interface Props {
  client: GameClient;
  state: UiState;
  onClose(): void;
}

/** The signs of the position that have a button; the others are in a list. */
const BUTTON_SIGNS = 8;

/** The menu of the current move and its line: marks, promotion of a variation, copies and print. */
export function LineMenu({ client, state, onClose }: Props) {
  const message = useMessage();
  const laterText = useLaterMessage();
  const menu = useRef<HTMLDivElement>(null);
  const [known, setKnown] = useState<NagDto[]>([]);
  const [copied, setCopied] = useState<'line' | 'review'>();
  const [uncopied, setUncopied] = useState<string>();
  const [printing, setPrinting] = useState(false);
  const { tree, node, review } = state;
  const nags = tree.node(node)?.nags ?? [];
  useEffect(() => {
    setCopied(undefined);
    setUncopied(undefined);
  }, [node]);
  useEffect(() => {
    menu.current?.focus();
    void client.requestQuietly({ do: 'nags' }).then((response) => setKnown(response?.nags ?? []));
  }, []);
  const setMarks = (changed: number[]) => {
    if (node !== 0) void client.edits.setMarks(node, changed);
  };
  const copy = async (name: 'line' | 'review') => {
    const part = name === 'line' ? { node } : { review: true };
    const text = (await client.request({ do: 'export', ...part }))?.text;
    if (text === undefined) return;
    const isCopied = await copyText(text);
    setCopied(isCopied ? name : undefined);
    setUncopied(isCopied ? undefined : text);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.target as HTMLElement).closest('select, textarea, dialog')) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === '!' || event.key === '?') setMarks(markAfterKey(nags, event.key, known));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  useStyle(style);
  const isVariation = tree.pathTo(node).some(({ node: id, parent }) => id !== 0 && tree.children(parent)[0] !== id);
  return (
    <div class="line-menu" ref={menu} tabIndex={-1} onKeyDown={onKeyDown}>
      <Signs known={known} nags={nags} disabled={node === 0} onChange={setMarks} />
      <p class="help keyboard-help">{laterText('marksHelp')}</p>
      <div class="toolbar">
        <button class="small" {...pressable(isVariation, () => void client.edits.promote(node))}>
          {laterText('promote')}
        </button>
        <button class="small" {...pressable(node !== 0, () => void copy('line'))}>
          {laterText(copied === 'line' ? 'copied' : 'copyLine')}
        </button>
        {review && (
          <button class="small" onClick={() => void copy('review')}>
            {laterText(copied === 'review' ? 'copied' : 'copyReviewed')}
          </button>
        )}
        <button class="small" onClick={() => setPrinting(true)}>
          {message('print')}
        </button>
        <button class="small" onClick={onClose}>
          {laterText('closeMenu')}
        </button>
      </div>
      {uncopied !== undefined && (
        <label class="field">
          {laterText('copyFailed')}
          <textarea readOnly rows={3} value={uncopied} />
        </label>
      )}
      {printing && <PrintDialog client={client} state={state} onClose={() => setPrinting(false)} />}
    </div>
  );
}

interface SignsProps {
  known: NagDto[];
  /** The marks of the move. */
  nags: number[];
  disabled: boolean;
  onChange(nags: number[]): void;
}

/** The signs of a move and of its position, which a click adds or removes. */
function Signs({ known, nags, disabled, onChange }: SignsProps) {
  const language = useContext(LanguageContext);
  const laterText = useLaterMessage();
  const ofMove = known.filter(({ of_move, number }) => of_move && number < 8);
  // Both sides of a pair have the same sign, so the menu offers the first.
  const ofPosition = known.filter(({ of_move, sign }, i) => !of_move && known.findIndex((nag) => nag.sign === sign) === i);
  // Marks without a sign come from files. They can be removed only.
  const unknown = nags.filter((number) => !known.some((nag) => nag.number === number));
  const words = (nag: NagDto) => (language === 'zh' ? nag.words_zh : nag.words);
  const isSet = (nag: NagDto) => marksLike(nags, nag.number, known).length > 0;
  const button = (nag: NagDto) => (
    <button
      key={nag.number}
      class={`small ${isSet(nag) ? 'pressed' : ''}`}
      aria-pressed={isSet(nag)}
      aria-label={`${nag.sign} ${words(nag)}`}
      title={words(nag)}
      {...pressable(!disabled, () => onChange(withMark(nags, nag.number, known)))}
    >
      {nag.sign}
    </button>
  );
  return (
    <>
      <div class="signs" role="group" aria-label={laterText('moveMarks')}>
        {ofMove.map(button)}
      </div>
      <div class="signs" role="group" aria-label={laterText('positionMarks')}>
        {ofPosition.slice(0, BUTTON_SIGNS).map(button)}
        <select
          aria-label={laterText('moreMarks')}
          disabled={disabled}
          value=""
          onChange={({ currentTarget }) => onChange(withMark(nags, Number(currentTarget.value), known))}
        >
          <option value="">…</option>
          {ofPosition.slice(BUTTON_SIGNS).map((nag) => (
            <option key={nag.number} value={nag.number}>
              {`${isSet(nag) ? '✓ ' : ''}${nag.sign} ${words(nag)}`}
            </option>
          ))}
          {unknown.map((number) => (
            <option key={number} value={number}>{`✓ $${number}`}</option>
          ))}
        </select>
      </div>
    </>
  );
}
