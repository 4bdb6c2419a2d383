/**
 * `orchd events --machine`: the events that one machine has published on the hub, or all, with one cursor over all.
 *
 * With `--json` each line has its `machine` and its `cursor`. `--since CURSOR` goes on after that event.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { displayLine, type Event, OrchdError, type OutputOf } from '../../protocol/index.js';
import { describeEvent } from '../printing/describe-event.js';
import type { Context } from '../program/context.js';
import { RETRY_MS, WAIT_MS } from './followed-daemon.js';
import { ALL, isHubAway } from './remote-target.js';

interface WantedEvents {
  readonly follow: boolean;
  /** A cursor, or 0. */
  readonly since: string | undefined;
  readonly types: readonly string[];
  /** The name or the id of a session. */
  readonly session: string | undefined;
}

type Page = OutputOf<'hub.events'>;

const GAP = 'events are gone: the limits of the hub have removed them before they were read';

export async function printMachineEvents(context: Context, machine: string, wanted: WantedEvents): Promise<undefined> {
  const place = machine === ALL ? {} : { machine };
  const names = new Map<string, string>();
  const client = context.client();
  const isWords = !context.isJson && !context.isQuiet;
  if (isWords || wanted.session !== undefined) {
    for (const { session } of await client.call('hub.sessions', place)) names.set(session.id, session.name);
  }
  const session = wanted.session === undefined ? undefined : sessionId(names, wanted.session);
  const input = {
    ...place,
    ...(wanted.types.length > 0 && { type: [...wanted.types] }),
    ...(session !== undefined && { session_id: session }),
    ...(wanted.follow && { wait_ms: WAIT_MS }),
  };
  // Without --since, the command begins at the oldest event; with --follow it begins at the next event.
  let since = wanted.since ?? (wanted.follow ? undefined : '0');
  if (since === undefined) since = (await client.call('hub.events', { ...input, wait_ms: 0 })).cursor;
  for (;;) {
    const page = await nextPage(context, since, wanted.follow, (from) =>
      client.call('hub.events', { ...input, since: from }, { signal: context.signal }),
    );
    if (page === null) return undefined;
    if (page.gap) await context.write(context.isJson ? `${JSON.stringify({ event_type: 'gap' })}\n` : `${GAP}\n`);
    await context.write(page.events.map((one) => show(one)).join(''));
    since = page.cursor;
    if (page.at_end && !wanted.follow) return undefined;
  }

  function show({ machine: name, cursor, event: value }: Page['events'][number]): string {
    if (context.isJson) return `${JSON.stringify({ machine: name, cursor, ...value })}\n`;
    if (context.isQuiet) return `${cursor}\n`;
    const event = value as unknown as Event; // its machine has stored it as an event
    if (event.event_type === 'session_started' || event.event_type === 'session_renamed') {
      names.set(event.session_id, event.name);
    }
    return `${context.paint('bold', name)} ${describeEvent(event, context.paint, names)}\n`;
  }
}

/** @returns Null after Ctrl-C. While the hub or the daemon is away, a stream is continued. */
async function nextPage(
  context: Context,
  since: string,
  isLasting: boolean,
  load: (since: string) => Promise<Page>,
): Promise<Page | null> {
  for (let isTold = false; ; isTold = true) {
    try {
      return await load(since);
    } catch (error) {
      if (context.signal.aborted) return null;
      if (!isLasting || !isHubAway(error)) throw error;
      if (!isTold) context.note(`${error.message}; the events continue when it is back`);
      await sleep(RETRY_MS, undefined, { signal: context.signal }).catch(() => undefined);
    }
  }
}

/** @throws {OrchdError} ORCHD_SESSION_UNKNOWN, ORCHD_AMBIGUOUS */
function sessionId(names: ReadonlyMap<string, string>, selector: string): string {
  const found = [...names].filter(([id, name]) => name === selector || id === selector).map(([id]) => id);
  const [id, other] = found;
  if (id === undefined) {
    throw new OrchdError('ORCHD_SESSION_UNKNOWN', `no session '${displayLine(selector)}' is known on the hub`);
  }
  if (other === undefined) return id;
  throw new OrchdError('ORCHD_AMBIGUOUS', `several sessions are called '${selector}', give an id: ${found.join(', ')}`);
}
