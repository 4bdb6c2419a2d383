/**
 * The keys that follow the prefix in an attached terminal. This table defines the keys, the help, and the hint shown
 * after the prefix.
 */
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
  /** Key names as in prefix-reader.ts. Help shows the first one. */
  readonly keys: readonly string[];
  readonly deed: AttachDeed;
  /** Text for the hint shown after the prefix; without it the key is not in the hint. */
  readonly word?: string;
  /** Text for the help. */
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

/** The hint shown after the prefix: the most useful keys on one line. */
export const HINT = ATTACH_KEYS.flatMap(({ keys, word }) => (word ? [`${keys[0]} ${word}`] : [])).join(' · ');
