/**
 * Publishes the event log of this machine, each event once and in order.
 *
 * A message has the events of one batch as lines of JSON. One message is in flight. The server stores it only if the
 * last message on the subject is the one that this publisher knows (`Nats-Expected-Last-Subject-Sequence`). After every
 * error the publisher reads that message again and goes on after the last event in it. An event is therefore neither
 * lost nor doubled, however long an outage was. Nothing here makes the daemon wait: the events are in its log.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import { OrchdError } from '../../protocol/index.js';
import { reasonOf } from '../connect.js';
import { isCopyOfCopy } from '../copied-message.js';
import { EVENTS_STREAM, eventsSubject, LAST_HEADER, LOG_HEADER } from '../names.js';
import type { LogLine, MemberPorts, Membership } from '../ports.js';
import { maxTextBytes, PUBLISH_MS } from './publish-limits.js';
import { RateLimiter } from './rate-limiter.js';
import { sharedLine } from './shared-text.js';

/** Limits of one message. */
const BATCH_EVENTS = 500;
const BATCH_BYTES = 512 * 1024;
/** Pause after an error of the server, so that a full one is not flooded. */
const RETRY_MS = 2_000;

/** The limits of the stream with the events of all machines. */
export interface EventLimits {
  readonly max_age_ms: number;
  readonly max_bytes: number;
  /** Size of the stored events. */
  readonly bytes: number;
}

/** The last message of this machine on the server. */
export interface Position {
  /** The message's sequence number in the stream; 0 if there is no message. */
  readonly subjectSequence: number;
  /** `seq` of the last event in the message. */
  readonly seq: number;
  /** When the stream was created. */
  readonly stream: string;
  readonly limits: EventLimits;
  /** True if the last message on the subject was published by no machine. */
  readonly isForeign?: true;
}

interface PublisherPorts extends Pick<MemberPorts, 'share' | 'rate' | 'now' | 'lastSeq' | 'reader'> {
  /** Called after each message that the server has stored, and with the position at the start. */
  onPublished(position: Position, events: readonly LogLine[]): void;
  /** Called with the reason when the server does not take events, and with null when it does again. */
  onProblem(reason: string | null): void;
  /** Called if a message is on the subject of this machine that no machine has published. */
  onForeign(): void;
}

/**
 * Reads how far the hub has the events of this machine.
 *
 * @throws {OrchdError} ORCHD_HUB_NAME_TAKEN if another log has the name; ORCHD_HUB_LOG_OLDER if the hub has events that
 *   the log lacks.
 */
export async function readPosition(
  manager: JetStreamManager,
  { name, logId, from, replaces, published: remembered }: Membership,
  lastSeq: number,
): Promise<Position> {
  const { created: stream, config, state } = await manager.streams.info(EVENTS_STREAM);
  const limits = { max_age_ms: config.max_age / 1e6, max_bytes: config.max_bytes, bytes: state.bytes };
  const last = await manager.direct.getMessage(EVENTS_STREAM, { last_by_subj: eventsSubject(name) });
  const known = remembered?.stream === stream ? Math.max(from, Math.min(remembered.seq, lastSeq)) : from;
  // Either nothing was published to this stream, or the messages were removed because of their age.
  if (last === null) return { subjectSequence: 0, seq: known, stream, limits };
  const owner = isCopyOfCopy(last.header) ? '' : last.header.get(LOG_HEADER);
  if (owner === '') return { subjectSequence: last.seq, seq: known, stream, limits, isForeign: true };
  if (owner === replaces) return { subjectSequence: last.seq, seq: from, stream, limits };
  if (owner !== logId) {
    throw new OrchdError('ORCHD_HUB_NAME_TAKEN', `another machine has published as '${name}'`, { log: owner });
  }
  const published = Number(last.header.get(LAST_HEADER));
  if (published > lastSeq) {
    throw new OrchdError(
      'ORCHD_HUB_LOG_OLDER',
      `the hub has events of '${name}' up to ${published}, but the log here ends at ${lastSeq}`,
    );
  }
  return { subjectSequence: last.seq, seq: Math.max(from, published), stream, limits };
}

/** Publishes until the signal aborts. */
export async function publishEvents(
  connection: NatsConnection,
  membership: Membership,
  ports: PublisherPorts,
  signal: AbortSignal,
): Promise<void> {
  const manager = await jetstreamManager(connection, { checkAPI: false });
  const client = jetstream(connection);
  const maxBytes = Math.min(BATCH_BYTES, maxTextBytes(connection));
  const limiter = new RateLimiter(ports.rate, ports.now);
  let { published } = membership;
  while (!signal.aborted) {
    try {
      let position = await readPosition(manager, { ...membership, ...(published && { published }) }, ports.lastSeq());
      if (position.isForeign) ports.onForeign();
      ports.onPublished(position, []);
      ports.onProblem(null);
      const reader = ports.reader(position.seq, signal);
      for (let lines = await reader.read(true); lines !== null; lines = await reader.read(true)) {
        for (const batch of batchesOf(lines, ports.share, maxBytes)) {
          const waitMs = limiter.waitMs(batch.events.length);
          if (waitMs > 0) await sleep(waitMs, undefined, { signal });
          position = await publish(client, membership, position, batch);
          published = position;
          ports.onPublished(position, batch.events);
          ports.onProblem(null);
        }
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      ports.onProblem(reasonOf(error));
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

interface EventBatch {
  readonly events: readonly LogLine[];
  readonly text: string;
}

function* batchesOf(lines: readonly LogLine[], share: MemberPorts['share'], maxBytes: number): Generator<EventBatch> {
  let events: LogLine[] = [];
  let texts: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const text = sharedLine(line, share, maxBytes);
    const size = Buffer.byteLength(text) + 1;
    if (events.length > 0 && (events.length >= BATCH_EVENTS || bytes + size > maxBytes)) {
      yield { events, text: texts.join('\n') };
      [events, texts, bytes] = [[], [], 0];
    }
    events.push(line);
    texts.push(text);
    bytes += size;
  }
  if (events.length > 0) yield { events, text: texts.join('\n') };
}

async function publish(
  client: JetStreamClient,
  { name, logId }: Membership,
  { subjectSequence, stream, limits }: Position,
  { events, text }: EventBatch,
): Promise<Position> {
  const seq = events.at(-1)?.seq ?? 0;
  const header = headers();
  header.set(LOG_HEADER, logId);
  header.set(LAST_HEADER, String(seq));
  const ack = await client.publish(eventsSubject(name), text, {
    headers: header,
    msgID: `${logId}:${seq}`,
    expect: { lastSubjectSequence: subjectSequence },
    timeout: PUBLISH_MS,
  });
  return { subjectSequence: ack.seq, seq, stream, limits };
}
