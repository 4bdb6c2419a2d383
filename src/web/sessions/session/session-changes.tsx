/** Shows the changes of a session in its git repository: the branch, the size, and the diff of each file. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { changeWords, displayText } from '../../../protocol/index.js';
import { useLive } from '../../live/live.js';
import { Empty } from '../../parts/empty.js';
import { ErrorNote } from '../../parts/error-note.js';
import { ScrollRegion } from '../../parts/scroll-region.js';
import { line } from '../../text/label-text.js';
import { type PatchFile, patchFiles } from './patch-files.js';

/** No event tells that a file has changed. */
const BEAT_MS = 10_000;
/** Number of files that are open at first. With more, the list of files would be long to scroll. */
const MAX_OPEN_FILES = 5;
/** Limits of the diff of a file. A browser is slow with much more, for example with a minified file. */
const MAX_FILE_LINES = 1_000;
const MAX_LINE_CHARS = 500;

export function SessionChanges({ session }: { readonly session: string }) {
  const { api } = useLive();
  const { data, error, refetch } = useQuery({
    queryKey: ['changes', session],
    queryFn: ({ signal }) => api.call('session.changes', { session, patch: true }, signal),
    refetchInterval: ({ state }) => (state.error ? false : BEAT_MS),
  });
  const files = useMemo(() => patchFiles(data?.patch ?? ''), [data?.patch]);
  if (error)
    return (
      <Empty title="No changes to show">
        <ErrorNote error={error} onRetry={() => void refetch()} />
      </Empty>
    );
  if (!data) return <div aria-busy="true" />;
  return (
    <section className="changes" aria-label="Changes">
      <p className="changes-head">{line(changeWords(data), 200)}</p>
      {files.map((file, at) => (
        <Changed key={file.path} file={file} isOpen={at < MAX_OPEN_FILES} />
      ))}
      {data.truncated && (
        <p className="muted">
          The rest is longer than this page shows. <code>git diff</code> has all of it.
        </p>
      )}
    </section>
  );
}

function Changed({ file, isOpen }: { readonly file: PatchFile; readonly isOpen: boolean }) {
  const { path, lines, added, removed } = file;
  const name = line(path, 300);
  return (
    <details className="change" open={isOpen}>
      <summary>
        <span className="mono cut grow" title={name}>
          <bdi>{name}</bdi>
        </span>
        <span className="change-size">
          <span className="tone-good">+{added}</span> <span className="tone-bad">−{removed}</span>
        </span>
      </summary>
      <ScrollRegion label={`The diff of ${name}`} className="patch">
        <pre>
          {lines.slice(0, MAX_FILE_LINES).map(({ text, tone }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a diff have no other name
            <span key={at} className={`patch-line ${tone}`}>
              {`${displayText(text.slice(0, MAX_LINE_CHARS))}\n`}
            </span>
          ))}
        </pre>
        {lines.length > MAX_FILE_LINES && <p className="muted">… {lines.length - MAX_FILE_LINES} more lines</p>}
      </ScrollRegion>
    </details>
  );
}
