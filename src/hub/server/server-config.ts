/**
 * The configuration of a NATS server for a hub, as text (`orchd hub config`).
 *
 * In:   the public keys of the users, each with a name and a role, and the limits.
 * Out:  one account with one user for each key. A user may do what its roles need, and nothing else.
 * A `machine` publishes as itself: its events and its own keys in the buckets. A `viewer` reads what all machines
 * publish, and sends commands to them. An `admin` creates the streams (`orchd hub init`). Every user gets replies below
 * its own prefix only, and sends and gets terminals under its own name only.
 */
import { OrchdError } from '../../protocol/index.js';
import { checkPublicKey } from '../key.js';
import {
  BUCKETS,
  bucketStream,
  checkMachineName,
  EVENTS_STREAM,
  eventsSubject,
  ITEMS_BUCKET,
  inboxPrefix,
  keySubject,
  MACHINES_BUCKET,
  MAIL_STREAM,
  mailFilter,
  mailSubject,
  SESSIONS_BUCKET,
  terminalSubject,
  WORK_STREAM,
  workConsumer,
  workFilter,
  workSubject,
} from '../names.js';

export type HubRole = 'machine' | 'viewer' | 'admin';

export interface HubUser {
  readonly role: HubRole;
  readonly name: string;
  /** The public key of a user (`U…`), as `orchd hub key` prints it. */
  readonly key: string;
  /** For a machine: the labels whose work it may take. */
  readonly labels?: readonly string[];
}

interface ServerConfig {
  readonly users: readonly HubUser[];
  /** `ADDRESS:PORT`. */
  readonly listen: string;
  readonly storeDir: string;
  /** Maximum bytes of all streams. */
  readonly maxStoreBytes: number;
  /** Maximum bytes of one message. */
  readonly maxMessageBytes: number;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Memory for streams; those of a hub are in files. */
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const MAX_STREAMS = 16;
/** A viewer has a consumer for each bucket, and one for each command that follows events. */
const MAX_CONSUMERS = 10_000;

/** Returns the subjects to which a user may publish. */
export function publishSubjects(roles: readonly HubRole[], name: string, labels: readonly string[] = []): string[] {
  const subjects = new Set<string>();
  if (roles.includes('admin')) {
    for (const kind of ['STREAM.CREATE', 'STREAM.UPDATE', 'STREAM.INFO']) {
      for (const stream of STREAMS) subjects.add(`$JS.API.${kind}.${stream}`);
    }
  }
  if (roles.includes('machine')) for (const subject of machineSubjects(name)) subjects.add(subject);
  for (const subject of labels.flatMap(labelSubjects)) subjects.add(subject);
  if (roles.includes('viewer')) for (const subject of viewerSubjects(name)) subjects.add(subject);
  return [...subjects];
}

const READABLE = [EVENTS_STREAM, ...BUCKETS.map(bucketStream)];
const STREAMS = [...READABLE, MAIL_STREAM, WORK_STREAM];

/** Returns the subjects to which a user may subscribe: the replies to it, and terminals that are sent to it. */
const subscribeSubjects = (name: string): string[] => [`${inboxPrefix(name)}.>`, terminalSubject(name, '*', '*')];

function machineSubjects(name: string): string[] {
  return [
    eventsSubject(name),
    keySubject(MACHINES_BUCKET, name),
    keySubject(SESSIONS_BUCKET, `${name}.>`),
    keySubject(ITEMS_BUCKET, `${name}.>`),
    `$JS.API.DIRECT.GET.${EVENTS_STREAM}.${eventsSubject(name)}`,
    ...STREAMS.map((stream) => `$JS.API.STREAM.INFO.${stream}`),
    // Permits to read the machine's own last heartbeat, which has the time of the server.
    `$JS.API.DIRECT.GET.${bucketStream(MACHINES_BUCKET)}.${keySubject(MACHINES_BUCKET, name)}`,
    // Its mail, with the filter as a part of the subject, and outcomes of commands that it has carried out.
    `$JS.API.CONSUMER.CREATE.${MAIL_STREAM}.${name}.${mailFilter(name)}`,
    `$JS.API.CONSUMER.INFO.${MAIL_STREAM}.${name}`,
    `$JS.API.CONSUMER.MSG.NEXT.${MAIL_STREAM}.${name}`,
    `$JS.API.CONSUMER.DELETE.${MAIL_STREAM}.${name}`,
    `$JS.ACK.${MAIL_STREAM}.${name}.>`,
    mailSubject('*', 'outcome', name, '*'),
    terminalSubject('*', name, '*'),
    mailSubject('*', 'taken', name, '*'),
  ];
}

/** The shared consumer of a label: its work, and what is read and acknowledged through it. */
function labelSubjects(label: string): string[] {
  const consumer = `${WORK_STREAM}.${workConsumer(label)}`;
  return [
    `$JS.API.CONSUMER.CREATE.${consumer}.${workFilter(label)}`,
    `$JS.API.CONSUMER.INFO.${consumer}`,
    `$JS.API.CONSUMER.MSG.NEXT.${consumer}`,
    `$JS.API.CONSUMER.DELETE.${consumer}`,
    `$JS.ACK.${consumer}.>`,
    // Permits to check whether the stream still has the work that the machine has taken.
    `$JS.API.DIRECT.GET.${WORK_STREAM}.${workFilter(label)}`,
  ];
}

/** A viewer may also send commands; the machine that gets one decides whether it carries it out. */
function viewerSubjects(name: string): string[] {
  const reading = READABLE.flatMap((stream) => [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    `$JS.API.CONSUMER.INFO.${stream}.>`,
    `$JS.API.CONSUMER.DELETE.${stream}.>`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
    `$JS.FC.${stream}.>`,
  ]);
  const lastEvents = `$JS.API.DIRECT.GET.${EVENTS_STREAM}.${eventsSubject('*')}`;
  return [
    ...reading,
    `$JS.API.STREAM.INFO.${WORK_STREAM}`,
    lastEvents,
    mailSubject('*', 'command', name, '*'),
    workSubject(name, '*', '*'),
    terminalSubject('*', name, '*'),
  ];
}

/** @throws {OrchdError} ORCHD_INVALID if a key is malformed. ORCHD_USAGE for a key or a name that is used twice. */
export function serverConfig(config: ServerConfig): string {
  const lines = [
    '# A NATS server for orchd, written by `orchd hub config`. Start it with `nats-server --config FILE`.',
    `listen: ${quoted(config.listen)}`,
    `max_payload: ${config.maxMessageBytes}`,
    'jetstream {',
    `  store_dir: ${quoted(config.storeDir)}`,
    `  max_memory_store: ${MAX_MEMORY_BYTES}`,
    `  max_file_store: ${config.maxStoreBytes}`,
    '}',
    ...(config.tls
      ? ['tls {', `  cert_file: ${quoted(config.tls.cert)}`, `  key_file: ${quoted(config.tls.key)}`, '}']
      : []),
    'accounts {',
    '  ORCHD {',
    `    jetstream { max_memory: ${MAX_MEMORY_BYTES}, max_file: ${config.maxStoreBytes}, max_streams: ${MAX_STREAMS}, max_consumers: ${MAX_CONSUMERS} }`,
    '    users: [',
    ...byKey(config.users).flatMap(userLines),
    '    ]',
    '  }',
    '}',
    '',
  ];
  return lines.join('\n');
}

interface Merged {
  readonly key: string;
  readonly name: string;
  readonly roles: readonly HubRole[];
  readonly labels: readonly string[];
}

/** Merges the users that have the same key: a key has one name, but may have several roles. */
function byKey(users: readonly HubUser[]): Merged[] {
  const merged = new Map<string, Merged>();
  for (const { key, name, role, labels = [] } of users) {
    checkMachineName(name);
    checkPublicKey(key);
    const known = merged.get(key);
    if (known && known.name !== name) {
      throw new OrchdError('ORCHD_USAGE', `one key is given the names '${known.name}' and '${name}'`);
    }
    const other = [...merged.values()].find((one) => one.name === name && one.key !== key);
    if (other) throw new OrchdError('ORCHD_USAGE', `two keys are given the name '${name}'`);
    merged.set(key, {
      key,
      name,
      roles: [...(known?.roles ?? []), role],
      labels: [...(known?.labels ?? []), ...labels],
    });
  }
  return [...merged.values()];
}

function userLines({ key, name, roles, labels }: Merged): string[] {
  const list = (subjects: readonly string[]): string => subjects.map(quoted).join(', ');
  return [
    `      # ${name}: ${[...roles, ...labels.map((label) => `label:${label}`)].join(', ')}`,
    '      {',
    `        nkey: ${key}`,
    '        permissions {',
    `          publish { allow: [${list(publishSubjects(roles, name, labels))}] }`,
    `          subscribe { allow: [${list(subscribeSubjects(name))}] }`,
    '        }',
    '      }',
  ];
}

const quoted = (text: string): string => JSON.stringify(text);
