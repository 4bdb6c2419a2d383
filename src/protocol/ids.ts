/**
 * Ids: a prefix for the kind and ten characters of Crockford's base 32 (50 random bits), e.g. `ses_7k3q9x2m4d`.
 *
 * They are random from the first character on, so that three or four characters identify one of hundreds; ids that
 * begin with the time would need a dozen. The creator checks that an id is new.
 */

declare const brand: unique symbol;
type Branded<Kind extends string> = string & { readonly [brand]: Kind };

export type SessionId = Branded<'session'>;
type ItemId = Branded<'item'>;
type MessageId = Branded<'message'>;
export type WriteId = Branded<'write'>;
type RunId = Branded<'run'>;
type TaskId = Branded<'task'>;
type WorkflowId = Branded<'workflow'>;

const PREFIX = {
  session: 'ses_',
  item: 'itm_',
  message: 'msg_',
  write: 'wri_',
  run: 'run_',
  task: 'tsk_',
  workflow: 'wfl_',
} as const;
export type IdKind = keyof typeof PREFIX;
export interface IdOf {
  session: SessionId;
  item: ItemId;
  message: MessageId;
  write: WriteId;
  run: RunId;
  task: TaskId;
  workflow: WorkflowId;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Number of random bytes that `makeId` needs. Each gives one character. */
export const ID_BYTES = 10;

/**
 * Creates an id from random bytes.
 *
 * @param bytes At least ID_BYTES.
 */
export function makeId<K extends IdKind>(kind: K, bytes: Uint8Array): IdOf[K] {
  let text: string = PREFIX[kind];
  for (let i = 0; i < ID_BYTES; i++) text += ALPHABET[(bytes[i] ?? 0) & 31];
  return text as IdOf[K]; // the only place where ids are created
}

/** Casts a string to an id of a kind, for example one read from the store. */
export function asId<K extends IdKind>(_kind: K, text: string): IdOf[K] {
  return text as IdOf[K];
}
