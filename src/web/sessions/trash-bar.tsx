/** Sessions that were removed lately, and can be brought back. */
import { useMutation } from '@tanstack/react-query';
import { useKeys } from '../browser/use-keys.js';
import { useLive, useOperation } from '../live/live.js';
import { Countdown } from '../parts/age.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';

const MAX_SHOWN = 3;

export function TrashBar() {
  const { api } = useLive();
  const { data } = useOperation(['sessions'], 'trash.list', {});
  const restore = useMutation({ mutationFn: (id: string) => api.call('trash.restore', { removed: id }) });
  const newest = data?.toSorted((a, b) => (a.until < b.until ? 1 : -1))[0];
  useKeys(newest ? { u: () => restore.mutate(newest.session.id) } : {});
  if (!data || data.length === 0) return null;
  return (
    <div className="trash-bar" role="status">
      {restore.error && <ErrorNote error={restore.error} />}
      {data.slice(0, MAX_SHOWN).map(({ session, until }) => (
        <span key={session.id} className="row">
          <span>
            {line(session.name, 60)} is in the trash for <Countdown until={Date.parse(until)} />.
          </span>
          <button
            type="button"
            className="button"
            disabled={restore.isPending}
            onClick={() => restore.mutate(session.id)}
          >
            Bring it back
          </button>
        </span>
      ))}
      {data.length > MAX_SHOWN && <span className="muted">{data.length - MAX_SHOWN} more: orchd rm --trash</span>}
    </div>
  );
}
