/**
 * The names of everything on the server: streams, buckets, subjects and message headers.
 *
 * `orchd.<machine>.events` is the only subject on which a machine publishes its events. A bucket is the stream
 * `KV_<bucket>` with the subjects `$KV.<bucket>.<key>`. Each key begins with the name of its machine.
 */
import { OrchdError } from '../protocol/index.js';

export const EVENTS_STREAM = 'orchd_events';
export const EVENTS_SUBJECTS = 'orchd.*.events';
/** The heartbeat of each machine. Key: the machine. */
export const MACHINES_BUCKET = 'orchd_machines';
/** The sessions of all machines. Key: `<machine>.<session id>`. */
export const SESSIONS_BUCKET = 'orchd_sessions';
/** The open items of all machines. Key: `<machine>.<item id>`. */
export const ITEMS_BUCKET = 'orchd_items';
/** Commands to machines, and their outcomes. */
export const MAIL_STREAM = 'orchd_mail';
export const MAIL_SUBJECTS = 'orchd.*.mail.>';
/** Work for any machine with a label. */
export const WORK_STREAM = 'orchd_work';
export const WORK_SUBJECTS = 'orchd.*.work.>';
export const BUCKETS = [MACHINES_BUCKET, SESSIONS_BUCKET, ITEMS_BUCKET] as const;

/** Identifies the event log of the machine, so that a machine with the name of another one is noticed. */
export const LOG_HEADER = 'Orchd-Log';
/** `seq` of the last event in the message. */
export const LAST_HEADER = 'Orchd-Last';

/** Header of the outcome of work for a label. Its value is `proofOf` the command. */
export const PROOF_HEADER = 'Orchd-Proof';
/** Header of `taken` for work of a label. Its value names the delivery: `<sequence in the stream>.<deliveries>`. */
export const DELIVERY_HEADER = 'Orchd-Delivery';

export const eventsSubject = (machine: string): string => `orchd.${machine}.events`;
/** Everything that is sent to a machine. */
export const mailFilter = (machine: string): string => `orchd.${machine}.mail.>`;
/** `taken`: the machine has begun a command whose outcome comes later. */
type MailKind = 'command' | 'taken' | 'outcome';
/** @param id  `*` for every command. */
export const mailSubject = (to: string, kind: MailKind, from: string, id: string): string =>
  `orchd.${to}.mail.${kind}.${from}.${id}`;
/** The frames of a terminal from one machine to another. @param id  `*` for every terminal. */
export const terminalSubject = (to: string, from: string, id: string): string => `orchd.${to}.terminal.${from}.${id}`;
/** @param label  `*` for every label; the same for `id`. */
export const workSubject = (from: string, label: string, id: string): string => `orchd.${from}.work.${label}.${id}`;
export const workFilter = (label: string): string => workSubject('*', label, '*');
/** The consumer that all machines with a label share. */
export const workConsumer = (label: string): string => `label_${label}`;
export const bucketStream = (bucket: string): string => `KV_${bucket}`;
export const keySubject = (bucket: string, key: string): string => `$KV.${bucket}.${key}`;
/** The prefix of the subjects on which a user gets replies. The server lets no other user subscribe to it. */
export const inboxPrefix = (name: string): string => `_INBOX_${name}`;

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/;
/** `--machine all` means every machine. Capital letters do not make another word of it. */
const RESERVED = ['all', 'local'];

/** @throws {OrchdError} ORCHD_INVALID if the name cannot be a part of a subject. */
export function checkMachineName(name: string): string {
  if (NAME.test(name) && !RESERVED.includes(name.toLowerCase())) return name;
  const rule = 'letters, digits, - and _, at most 63, and neither "all" nor "local"';
  throw new OrchdError('ORCHD_INVALID', `'${name}' cannot be the name of a machine: it may have ${rule}`);
}
