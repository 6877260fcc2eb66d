import { useEffect, useState } from 'preact/hooks';
import type { LibraryClient } from './library-client';
import { useLibraryMessage } from './library-messages';
import { useMessage } from './language';
import type { ImportProgress } from './wire/types';
import type { GameFiles } from './file-field';

/** The number of remarks that are shown at once; a click shows more. */
const MAX_OPEN_REMARKS = 3;

interface Props {
  library: LibraryClient;
  /** The file that is imported. */
  file: GameFiles | undefined;
  /** What was imported last. */
  report: ImportProgress | undefined;
  /** Receives the report; undefined if the import was cancelled or refused. */
  onDone(progress: ImportProgress | undefined): void;
  onClose(): void;
}

/** Imports a file and shows how far it is; shows what was imported and what could not be read. */
export function ImportPanel({ library, file, report, onDone, onClose }: Props) {
  const message = useLibraryMessage();
  const pageMessage = useMessage();
  const [progress, setProgress] = useState<ImportProgress>();
  const [cancelling, setCancelling] = useState<AbortController>();
  useEffect(() => {
    if (!file) return;
    const controller = new AbortController();
    setCancelling(controller);
    setProgress(undefined);
    void library.import(file, setProgress, controller.signal).then((done) => {
      setCancelling(undefined);
      onDone(done);
    });
    return () => controller.abort();
  }, [file]);
  if (file) {
    const { name: fileName, size } = file.games;
    const share = size > 0 ? Math.min(100, Math.floor((100 * (progress?.bytes ?? 0)) / size)) : 0;
    // A file of some formats is read as a whole before its games are saved: then only their number goes on.
    const isRead = share === 100;
    const text = message(isRead ? 'importingGames' : 'importing', fileName, progress?.games ?? 0, share);
    return (
      <section class="library-import" aria-label={message('importFile')}>
        <div class="row">
          <span>{text}</span>
          <button class="small" onClick={() => cancelling?.abort()}>{message('cancelImport')}</button>
        </div>
        <progress aria-label={message('importFile')} max={100} value={isRead ? undefined : share} />
      </section>
    );
  }
  if (!report) return null;
  const { games, cut, bad, remarked, remarks, collection_name: name } = report;
  const sameName = name?.is_renamed && message('importRenamed', name.name);
  const lines = [
    games === 1 ? message('importedOne') : message('imported', games),
    cut > 0 && (cut === 1 ? message('importedCutOne') : message('importedCut', cut)),
    bad > 0 && (bad === 1 ? message('importedBadOne') : message('importedBad', bad)),
    name?.same_games ? message('importedAgain', name.same_games, name.name) : sameName,
  ].filter((line) => line);
  return (
    <section class="library-import" aria-label={message('importFile')}>
      <div class="row">
        <span role="status">{lines.join(' ')}</span>
        <button class="small" onClick={onClose}>{pageMessage('hide')}</button>
      </div>
      {remarks.length > 0 && (
        <details open={remarks.length <= MAX_OPEN_REMARKS}>
          <summary>{message('importRemarks', remarked)}</summary>
          <ul>
            {remarks.map(({ text, place }, i) => (
              <li key={i}>
                {text} {place && <small>{message('importPlace', place)}</small>}
              </li>
            ))}
            {remarked > remarks.length && <li>{message('moreRemarks', remarked - remarks.length)}</li>}
          </ul>
        </details>
      )}
    </section>
  );
}
