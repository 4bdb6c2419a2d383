/**
 * Explains an event, an item or a state: its bytes, the screen at that time, the rule, the validator's verdict, the
 * route, and the delivery. It uses only the log and the journal, and reads the journal again up to the record that
 * completed the event. It therefore also works for ended and lost sessions. Missing data is named.
 */
import { isOfTaskOrWorkflow, timestamp } from '../../lifecycle/index.js';
import {
  type Ear,
  type Event,
  type Item,
  OrchdError,
  type OutputOf,
  type Paths,
  type Session,
  validateMessage,
  whyOfEvent,
  withoutBlanks,
} from '../../protocol/index.js';
import type { Heard, HeardAgain, Printed } from '../../session/index.js';
import type { Caller } from '../access/index.js';
import type { SessionEntry } from '../registry/index.js';
import { escaped, plain } from './escaped.js';
import { markedRows } from './marked-rows.js';
import { fitsEvent } from './match.js';
import { findTarget, routeOf, type Target, type TargetPorts } from './target.js';
import { summaryOf, wordsOfFinding } from './words.js';
import { deliveryOf } from './writes.js';

export interface ExplainPorts extends TargetPorts {
  readonly paths: Paths;
}

type Explanation = OutputOf<'event.explain'>;

const MAX_COPIES = 16;

/**
 * Returns the explanation of an event, an item or the state of a session.
 *
 * @param what  A selector of the event, item or session.
 * @throws {OrchdError} ORCHD_EVENT_UNKNOWN; ORCHD_SESSION_UNKNOWN; ORCHD_FORBIDDEN if an agent asks about a session
 *   that is neither its own nor one that it started.
 */
export async function explain(ports: ExplainPorts, what: string, caller: Caller): Promise<Explanation> {
  const { signal } = caller;
  const target = await findTarget(ports, what, signal);
  const { event, entry, item } = target;
  if (caller.session && entry && !ports.registry.isWithin(entry, caller.session)) {
    const message =
      `you are inside session '${caller.session.view.name}': it may do this only for itself and sessions it ` +
      'started';
    throw new OrchdError('ORCHD_FORBIDDEN', message);
  }
  const route = await routeOf(ports, target, signal);
  const base = {
    what: target.what,
    session: entry?.view ?? null,
    event: { ...event },
    item,
    route: route.map((one) => ({ ...one })),
  };
  const verdict = verdictOf(event, entry?.view ?? null);
  if (!entry) {
    const missing = 'session_id' in event ? ['Its session was removed, and the journal with it.'] : [];
    const nothing = { heard_again: null, bytes: null, screen: null, copies: [], delivery: null, missing };
    return { ...base, ...nothing, summary: summaryOf(target, null), rule: [...whyOfEvent(event)], verdict };
  }
  const heard = await hear(ports, entry, target, signal);
  const delivery = item && (await findDelivery(ports, item, route, signal));
  const { finding, screen } = heard.again;
  const rule = finding ? wordsOfFinding(finding, entry.view, screen?.title ?? '') : [...whyOfEvent(event)];
  const explanation: Explanation = {
    ...base,
    summary: summaryOf(target, finding),
    rule,
    heard_again: heard.isWanted ? finding !== null : null,
    bytes: heard.range && heard.printed && toBytes(heard.range, heard.printed),
    screen: toScreen(heard.again, heard.range),
    verdict,
    copies: copiesOf(heard.again, heard.range),
    delivery,
    missing: missingWords(heard),
  };
  screen?.dispose();
  return explanation;
}

interface HeardOf {
  readonly again: HeardAgain;
  /** The byte range of the event; if it has none, the record that completed it. */
  readonly range: Range | null;
  readonly printed: Printed | null;
  /** True if a finding must exist for the event. */
  readonly isWanted: boolean;
}
interface Range {
  readonly ear: Ear | null;
  readonly from: number;
  readonly to: number;
}

async function hear(
  ports: ExplainPorts,
  { id }: SessionEntry,
  { event, item }: Target,
  signal: AbortSignal,
): Promise<HeardOf> {
  const { hearAgain, readPrinted } = await import('../../session/index.js');
  const { journalsDir: journals } = ports.paths;
  const fits = fitsEvent(event, item);
  const untilTime = Date.parse(event.timestamp);
  const again = await hearAgain({ journals, sessionId: id, fits: fits ?? (() => false), untilTime, signal });
  const { finding, record } = again;
  const found = finding && 'origin' in finding ? finding.origin : record && { ear: null, ...record };
  const range = originOf(event, item) ?? found;
  return { again, range, printed: range && readPrinted(journals, id, range), isWanted: fits !== null };
}

function originOf(event: Event, item: Item | null): Range | null {
  switch (event.event_type) {
    case 'message':
    case 'message_rejected':
    case 'message_corrected':
    case 'answer_written':
      return event.origin;
    case 'item_opened':
      return item === null || isOfTaskOrWorkflow(item) ? null : item.origin;
    case 'journal_damaged':
      return { ear: null, from: event.from, to: event.to };
    default:
      return null;
  }
}

async function findDelivery(ports: ExplainPorts, item: Item, route: readonly Event[], signal: AbortSignal) {
  const accepted = route.find((one) => one.event_type === 'answer_accepted' && one.item_id === item.id);
  if (accepted?.event_type !== 'answer_accepted') return null;
  return deliveryOf(ports.paths.journalsDir, item, accepted.write_id, item.origin.from, signal);
}

function toBytes({ ear, from, to }: Range, { bytes, total, time, records }: Printed): Explanation['bytes'] {
  return {
    ear,
    from,
    to,
    time: time === null ? null : timestamp(time),
    printed: total,
    base64: bytes.toString('base64'),
    escaped: escaped(bytes),
    text: plain(bytes),
    records: records.map((record) => ({ ...record })),
  };
}

function toScreen({ screen, position, time, heard }: HeardAgain, range: Range | null): Explanation['screen'] {
  if (!screen || time === null) return null;
  const rows = screen.look({});
  const mine = range && heard.findLast((one) => isAt(one, range));
  return {
    size: { cols: screen.cols, rows: screen.rows },
    cursor: { ...screen.cursor },
    title: screen.title,
    alternate: screen.isAlternate,
    rows,
    marked: mine ? markedRows(rows, mine.text) : [],
    position,
    time: timestamp(time),
  };
}

/** Finds the reported text and all texts with the same content. */
function copiesOf({ heard }: HeardAgain, range: Range | null): Explanation['copies'] {
  const told = range && heard.findLast((one) => isAt(one, range));
  if (!told) return [];
  const content = withoutBlanks(told.text);
  return heard
    .filter((one) => withoutBlanks(one.text) === content)
    .slice(-MAX_COPIES)
    .map(({ ear, standing, from, to, text }) => {
      const how = standing === 'counts' ? (isAt({ ear, from, to }, range) ? 'told' : 'merged') : standing;
      return { ear, standing: how, from, to, text };
    });
}

const isAt = (one: Pick<Heard, 'ear' | 'from' | 'to'>, { ear, from, to }: Range): boolean =>
  one.ear === ear && one.from === from && one.to === to;

function missingWords({ again, printed, isWanted }: HeardOf): string[] {
  const { damaged, finding, screen, position } = again;
  const words = damaged.map(({ from, to, detail }) => `The journal from ${from} to ${to} cannot be read: ${detail}.`);
  if (position === 0 && damaged.length === 0) words.push('There is no journal of this session any more.');
  else if (!screen)
    words.push('The beginning of its journal was dropped, so the screen of that moment cannot be shown.');
  else if (isWanted && !finding) {
    words.push(
      'Hearing the journal again does not give it: it was heard by another version of orchd, or the clock ' +
        'was set back.',
    );
  }
  if (!printed) return words;
  if (printed.time === null) words.push('The bytes that it came from are gone.');
  else if (printed.damaged.length > 0) words.push('Of the bytes that it came from a part is gone.');
  const { bytes, total } = printed;
  if (total > bytes.length) words.push(`Of ${total} bytes of output the first ${bytes.length} are shown.`);
  return words;
}

type Verdict = OutputOf<'event.explain'>['verdict'];

/** Returns the validator's verdict on a message, by validating it again; for a rejection, the recorded verdict. */
function verdictOf(event: Event, session: Session | null): Verdict {
  const key = session?.key_required ? 'required' : 'not required';
  if (event.event_type === 'message' || event.event_type === 'message_corrected') {
    const { type } = event.message;
    const errors = validateMessage(type, event.message);
    return { accepted: errors.length === 0, reason: null, schema: schemaOf(type), key, errors: [...errors] };
  }
  if (event.event_type !== 'message_rejected') return null;
  const { reason, errors, raw } = event;
  const type = reason === 'schema' ? /"type"\s*:\s*"([A-Z_]+)"/.exec(raw)?.[1] : undefined;
  return { accepted: false, reason, schema: type === undefined ? null : schemaOf(type), key, errors: [...errors] };
}

const schemaOf = (type: string): string => `protocol/messages/${type.toLowerCase().replaceAll('_', '-')}.schema.json`;
