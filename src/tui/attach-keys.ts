/** What an attached terminal does behind the prefix: one table, for keys, help and the hint that follows the prefix. */
export type AttachDeed =
  | 'detach'
  | 'next'
  | 'previous'
  | 'last'
  | 'waiting'
  | 'answer'
  | 'copy'
  | 'status'
  | 'read-only'
  | 'take'
  | 'help';

export interface AttachKey {
  /** As prefix-reader.ts names them; the first is the one that is shown. */
  readonly keys: readonly string[];
  readonly deed: AttachDeed;
  /** In the hint that follows the prefix, if it is worth the room. */
  readonly word?: string;
  /** In the help. */
  readonly help: string;
}

export const ATTACH_KEYS: readonly AttachKey[] = [
  { keys: ['d'], deed: 'detach', word: 'detach', help: 'leave; the session goes on' },
  { keys: ['n'], deed: 'next', word: 'next', help: 'the next session' },
  { keys: ['p'], deed: 'previous', help: 'the session before' },
  { keys: ['l', 'Tab'], deed: 'last', help: 'the session you came from' },
  { keys: ['w'], deed: 'waiting', word: 'waiting', help: 'the next session that waits for you' },
  { keys: ['a'], deed: 'answer', word: 'answer', help: 'answer what this session asks' },
  { keys: ['['], deed: 'copy', word: 'look back', help: 'look back: scroll, search, copy' },
  { keys: ['t'], deed: 'take', help: 'give the session this terminal’s size' },
  { keys: ['r'], deed: 'read-only', help: 'type nothing, or type again' },
  { keys: ['s', 'z'], deed: 'status', help: 'this row on or off; off, images pass' },
  { keys: ['?'], deed: 'help', word: 'all keys', help: 'show this' },
];

export const deedOf = (key: string): AttachDeed | null =>
  ATTACH_KEYS.find(({ keys }) => keys.includes(key))?.deed ?? null;

/** What the prefix waits for, on one line. */
export const HINT = ATTACH_KEYS.flatMap(({ keys, word }) => (word ? [`${keys[0]} ${word}`] : [])).join(' · ');
