/** Random texts of an agent for tests: messages with words that are hard to paint, prose, and what is not a message. */
import type { Random } from './random.js';

export interface Said {
  /** As the program gets it: an object, or a marker. */
  readonly text: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A text that the program shows but does not say: in a box of its own, or as the output of a tool. */
export interface Noise {
  readonly text: string;
  readonly kind: 'box' | 'tool' | 'said';
}

const PLAIN = [
  'Which database should it be, PostgreSQL or SQLite?',
  'May I remove the old files in src/ears/screen/candidates/candidate-reader.ts?',
  'list:\n- one\n- two\n  - three',
  '- [ ] todo\n- [x] done',
  'a  b   c    d',
  '```ts\nconst a = { b: [1, 2] };\n```',
  '日本語の文章はどこでも折り返されます。それでも読めますか。',
  'C:\\temp\\new "quoted" \\u00e9',
  'x'.repeat(130),
  'https://example.org/a/very/long/path/that/no/row/can/hold/because/it/is/so/long?and=a&query=of&some=length#end',
  'Ünïcödé, naïve café — “quotes”…',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  'one │ two │ three',
  'ends with a blank ',
  '{"type":"QUESTION"} within',
  'مرحبا بالعالم, שלום עולם',
  'well-known state-of-the-art re-entry',
  '1. first\n2. second',
];
const UNSURE = ['👨‍👩‍👧‍👦 family', '🇩🇪 flag 👍🏽 thumb', 'தமிழ் हिन्दी', 'a\u200bb zero', 'e\u0301 combined', '☎️ phone'];
const WORDS = 'the parser reads each row once and keeps what it has found in a small table of rows and places'.split(
  ' ',
);

const one = <T>(random: Random, choices: readonly T[]): T => choices[random.below(choices.length)] as T; // not empty

function wordsOf(random: Random, number: number, isPlain: boolean): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () =>
    one(random, !isPlain && random.below(4) === 0 ? UNSURE : PLAIN),
  );
  return `${parts.join(one(random, [' ', '\n', '\n\n']))} (${number})`;
}

/** @param number  Makes the message different from others. */
export function saidOf(random: Random, number: number, isPlain: boolean): Said {
  const words = wordsOf(random, number, isPlain);
  const kind = random.below(10);
  if (kind === 0) {
    const text = words.replace(/\s+/g, ' ');
    return { type: 'QUESTION', data: { question: text }, text: `:ORCHESTRATOR: QUESTION - ${text}` };
  }
  const type = kind < 7 ? 'QUESTION' : kind < 9 ? 'TASK_COMPLETE' : 'BLOCKED';
  const data =
    type === 'QUESTION'
      ? { question: words, ...(random.below(2) === 0 && { options: ['yes', 'no', one(random, PLAIN)] }) }
      : type === 'TASK_COMPLETE'
        ? { summary: words }
        : { reason: words };
  const text = JSON.stringify({ type, data }, null, random.below(3) > 0 ? 2 : undefined);
  const label = random.below(4) === 0 ? 'orchestrator-message\n' : '';
  return { type, data, text: label + text };
}

export function proseOf(random: Random): string {
  return Array.from({ length: random.below(14) + 1 }, () => {
    const from = random.below(WORDS.length);
    const text = [...WORDS, ...WORDS].slice(from, from + 3 + random.below(9)).join(' ');
    return random.below(5) === 0 ? '' : `${text}.`;
  }).join('\n');
}

/** A message that is only shown. */
export function noiseOf(random: Random): Noise {
  const value = { type: 'QUESTION', data: { question: `Only shown ${random.below(1000)}?` } };
  return { kind: one(random, ['box', 'tool'] as const), text: `# Notes\n${JSON.stringify(value, null, 2)}\nand more` };
}

/** A message in a visible fence, within other text. */
export function fenceOf(random: Random): Noise {
  const value = { type: 'QUESTION', data: { question: `In a fence ${random.below(1000)}?` } };
  const block = JSON.stringify(value, null, random.below(2) === 0 ? 2 : undefined);
  const body = one(random, [
    block,
    `:ORCHESTRATOR: QUESTION - In a fence ${random.below(1000)}?`,
    `const a = 1;\n${block}`,
  ]);
  const open = one(random, [
    '```json',
    '```orchestrator-message',
    '````',
    '```',
    '~~~',
    '````markdown\n```orchestrator-message',
  ]);
  const close = (/^[`~]+/.exec(open)?.[0] ?? '```') as string;
  const inner = open.includes('\n') ? '\n```' : '';
  const before = one(random, ['Print such a block:', proseOf(random), '']);
  return { kind: 'said', text: `${before}\n${open}\n${body}${inner}\n${close}\n${one(random, ['', 'Then go on.'])}` };
}
