/** Creates the streams and buckets of a hub, or changes their limits (`orchd hub init`). */
import {
  DiscardPolicy,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  type StreamConfig,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { OrchdError } from '../../protocol/index.js';
import { type HubAddress, openConnection, reasonOf } from '../connect.js';
import {
  BUCKETS,
  bucketStream,
  EVENTS_STREAM,
  EVENTS_SUBJECTS,
  MAIL_STREAM,
  MAIL_SUBJECTS,
  WORK_STREAM,
  WORK_SUBJECTS,
} from '../names.js';

export interface HubLimits {
  /** Maximum age of events. */
  readonly maxAgeMs: number;
  /** Maximum bytes of the events; then the oldest are removed. */
  readonly maxBytes: number;
  /** Number of servers that keep a copy: 1, 3 or 5. */
  readonly replicas: number;
}

/** The server recognizes a repeated message for this long. The machine's own check has no limit of time. */
const DUPLICATE_WINDOW_MS = 120_000;
/** Entries of machines that never come back, and mail for them, are removed after this. Members renew their entries. */
const BUCKET_AGE_MS = 30 * 86_400_000;
/** Maximum size of each bucket, and of the mail and the work, as a share of `maxBytes`. */
const BUCKET_SHARE = 0.1;

/**
 * Returns the names of the streams that were created.
 *
 * @throws {OrchdError} ORCHD_HUB_REFUSED with the server's reason; those of `openConnection`.
 */
export async function initHub(address: HubAddress, limits: HubLimits): Promise<string[]> {
  const connection = await openConnection(address);
  try {
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const created: string[] = [];
    for (const config of streamsOf(limits)) {
      if (await addOrUpdate(manager, config)) created.push(config.name);
    }
    return created;
  } catch (error) {
    throw new OrchdError('ORCHD_HUB_REFUSED', refusal(error, address.name), undefined, error);
  } finally {
    await connection.close();
  }
}

function refusal(error: unknown, name: string): string {
  const reason = reasonOf(error);
  if (!reason.includes('Permissions Violation')) return `the server refuses: ${reason}`;
  return `the key of '${name}' may not create the streams: \`orchd hub config --admin ${name}=KEY\` permits it`;
}

type NamedConfig = Partial<StreamConfig> & { name: string };

function streamsOf({ maxAgeMs, maxBytes, replicas }: HubLimits): NamedConfig[] {
  const common = { num_replicas: replicas, allow_direct: true, duplicate_window: nanos(DUPLICATE_WINDOW_MS) };
  const events = {
    ...common,
    name: EVENTS_STREAM,
    subjects: [EVENTS_SUBJECTS],
    max_age: nanos(maxAgeMs),
    max_bytes: maxBytes,
    discard: DiscardPolicy.Old,
  };
  const buckets = BUCKETS.map((bucket) => ({
    ...common,
    name: bucketStream(bucket),
    subjects: [`$KV.${bucket}.>`],
    max_msgs_per_subject: 1,
    max_age: nanos(BUCKET_AGE_MS),
    max_bytes: Math.ceil(maxBytes * BUCKET_SHARE),
    allow_rollup_hdrs: true,
    deny_delete: true,
    discard: DiscardPolicy.New,
  }));
  const mail = {
    ...common,
    name: MAIL_STREAM,
    subjects: [MAIL_SUBJECTS],
    retention: RetentionPolicy.Workqueue,
    max_age: nanos(BUCKET_AGE_MS),
    max_bytes: Math.ceil(maxBytes * BUCKET_SHARE),
    discard: DiscardPolicy.New,
  };
  const work = { ...mail, name: WORK_STREAM, subjects: [WORK_SUBJECTS], max_msgs_per_subject: 1 };
  return [events, ...buckets, mail, work];
}

/** @returns True if the stream was created. */
async function addOrUpdate(manager: JetStreamManager, config: NamedConfig): Promise<boolean> {
  try {
    await manager.streams.info(config.name);
  } catch (error) {
    if (!isMissingStream(error)) throw error;
    await manager.streams.add(config);
    return true;
  }
  await manager.streams.update(config.name, config);
  return false;
}

export const isMissingStream = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 10_059;
