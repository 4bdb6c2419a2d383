/**
 * The keys that follow the prefix in an attached terminal. This table defines the keys, the help, and the hint shown
 * after the prefix.
 */
export type AttachAction =
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

interface AttachKey {
  /** Key names as in prefix-reader.ts. Help shows the first one. */
  readonly keys: readonly string[];
  readonly effect: AttachAction;
  /** Text for the hint shown after the prefix; without it the key is not in the hint. */
  readonly word?: string;
  /** Text for the help. */
  readonly help: string;
}

export const ATTACH_KEYS: readonly AttachKey[] = [
  { keys: ['d'], effect: 'detach', word: 'detach', help: 'leave; the session goes on' },
  { keys: ['n'], effect: 'next', word: 'next', help: 'the next session' },
  { keys: ['p'], effect: 'previous', help: 'the session before' },
  { keys: ['l', 'Tab'], effect: 'last', help: 'the session you came from' },
  { keys: ['w'], effect: 'waiting', word: 'waiting', help: 'the next session that waits for you' },
  { keys: ['a'], effect: 'answer', word: 'answer', help: 'answer what this session asks' },
  { keys: ['['], effect: 'copy', word: 'look back', help: 'look back: scroll, search, copy' },
  { keys: ['t'], effect: 'take', help: 'give the session this terminal’s size' },
  { keys: ['r'], effect: 'read-only', help: 'type nothing, or type again' },
  { keys: ['s', 'z'], effect: 'status', help: 'this row on or off; off, images pass' },
  { keys: ['?'], effect: 'help', word: 'all keys', help: 'show this' },
];

export const deedOf = (key: string): AttachAction | null =>
  ATTACH_KEYS.find(({ keys }) => keys.includes(key))?.effect ?? null;

/** The hint shown after the prefix: the most useful keys on one line. */
export const HINT = ATTACH_KEYS.flatMap(({ keys, word }) => (word ? [`${keys[0]} ${word}`] : [])).join(' · ');
