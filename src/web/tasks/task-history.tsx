/** The history of one task on its page: loads the entries with `task.history` and links to the runs. */
import { Link } from 'wouter';
import { useOperation } from '../live/live.js';
import { ErrorNote } from '../parts/error-note.js';
import { line } from '../text/label-text.js';

/** Shows the history of a task, oldest entry first. */
export function TaskHistory({ id }: { readonly id: string }) {
  const { data: entries, error, refetch } = useOperation(['tasks', id], 'task.history', { task: id });
  return (
    <section aria-label="History">
      <div className="part-title">
        <h2>History</h2>
      </div>
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      <ol className="history">
        {entries?.map(({ timestamp, event, run_id, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a history only grows at its end
          <li key={at}>
            <time className="muted mono" dateTime={timestamp} title={new Date(timestamp).toLocaleString()}>
              {new Date(timestamp).toLocaleTimeString()}
            </time>
            <span className="history-event">{event.replaceAll('_', ' ')}</span>
            <span className="soft grow">{line(text, 1000)}</span>
            {run_id !== undefined && <Link href={`/runs/${run_id}`}>run</Link>}
          </li>
        ))}
      </ol>
    </section>
  );
}
