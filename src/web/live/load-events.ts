/** Loads a part of the event log in pages, so that no reply is large. */
import type { Event, InputOf } from '../../protocol/index.js';
import type { Api } from './api.js';

const PAGE = 2_000;

/**
 * @param until  The last `seq` to load. Default: the newest one.
 * @param onPage  Called with each page, in order.
 */
export async function loadEvents(
  api: Api,
  input: Pick<InputOf<'event.list'>, 'session' | 'type'> & { readonly since: number; readonly until?: number },
  onPage: (events: readonly Event[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { until = Number.POSITIVE_INFINITY, ...asked } = input;
  for (let since = asked.since; ; ) {
    const limit = Math.min(PAGE, until - since);
    if (limit <= 0) return;
    const page = await api.call('event.list', { ...asked, since, limit }, signal);
    const events = page.filter(({ seq }) => seq !== undefined && seq <= until);
    if (events.length > 0) onPage(events);
    since = page.at(-1)?.seq ?? until;
    if (page.length < limit || signal.aborted) return;
  }
}
