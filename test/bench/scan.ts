/**
 * Measures how many megabytes per second of CPU time the ears read, by kind of output, and with half as much output:
 * linear code shows the same rate for both.
 *
 * CPU time is that of this process. Each input is read once before, to warm up. Chunks of one byte are what a slow
 * connection delivers at worst. Each needs a journal record, so the cost of the records alone is measured, too.
 */
import { createHearing, type Hearing } from '../../src/session/index.js';
import { type Bench, type Figure, format } from './bench.js';
import { generate, upTo } from './inputs/files.js';
import { plainLine } from './inputs/texts.js';
import { createVocabulary } from './inputs/vocabulary.js';

const MEGABYTES = 16;
const WARM_UP_BYTES = 8e6;
const CHUNK = 64 * 1024;

const prose = `${'The quick brown fox jumps over the lazy dog, again and again. '.repeat(2).slice(0, 98)}\r\n`;
const block =
  '```orchestrator-message\r\n{"type": "STATUS_UPDATE", "data": {"progress": 75, "currentStep": "Running the ' +
  'tests"}}\r\n```\r\n';

/** Ends lines with CR LF, as a terminal does. */
function* toTerminal(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield line.replaceAll(/\r?\n/g, '\r\n');
}

/** Output like an agent's: prose, partly coloured, code in fences, and a message about every 18 KB. */
function* transcript(seed: number): Generator<string> {
  const v = createVocabulary(seed);
  for (;;) {
    for (let left = 14; left > 0; left--) {
      for (let lines = v.between(6, 12); lines > 0; lines--) yield plainLine(v);
      yield `\x1b[1m⏺\x1b[0m ${v.sentence(8, 16)}\n\x1b[36m⎿ Bash(${v.words(2)})\x1b[0m\n  ${v.sentence(6, 16)}\n`;
      yield `\`\`\`ts\n${Array.from({ length: v.between(2, 5) }, () => `${v.code()}\n`).join('')}\`\`\`\n`;
    }
    const message = { type: 'STATUS_UPDATE', data: { progress: v.below(101), currentStep: v.sentence(4, 12) } };
    yield `\`\`\`orchestrator-message\n${JSON.stringify(message)}\n\`\`\`\n`;
  }
}

/** Goals in MB/s for output of agents, and for output that is designed to be slow to read. */
const FAST = 400;
const HOSTILE = 100;

interface Input {
  /** Output that does not repeat, as of real programs. */
  readonly texts?: (seed: number) => Iterable<string>;
  /** Repeated output that was designed to be slow to read. */
  readonly text?: string;
  readonly chunk?: number;
  readonly share?: number;
  readonly least?: number;
}

const inputs: Record<string, Input> = {
  'a transcript': { texts: transcript, share: 4, least: FAST },
  'plain text': { texts: (seed) => generate('plain', seed) },
  'coloured text': { texts: (seed) => generate('sgr', seed) },
  'other scripts and emoji': { texts: (seed) => generate('utf8', seed) },
  'a transcript with many blocks': { text: `${prose.repeat(10)}- an item\r\n\r\n${block}${prose.repeat(3)}` },
  'blocks only': { text: block, share: 0.25 },
  'lines of backticks': { text: `${'`'.repeat(98)}\r\n`, least: HOSTILE },
  'fences, opened and closed': { text: '```js\r\n```\r\n', share: 0.25 },
  'backticks with gaps': { text: `${'`` ```` ` '.repeat(10)}\r\n` },
  'a fence that is never closed': { text: `\`\`\`orchestrator-message\r\n${prose.repeat(400_000)}`, least: HOSTILE },
  'an envelope that is never closed': { text: `<output>\r\n{\r\n${prose.repeat(400_000)}` },
  'a JSON string that is never closed': {
    text: `\`\`\`orchestrator-message\r\n{"a": "${prose.repeat(2000)}\`\`\`\r\n`,
  },
  'quotes in quotes': { text: `${'> '.repeat(49)}\r\n` },
  'lists in lists': { text: `${'- '.repeat(49)}\r\n` },
  'one endless line': { text: 'x'.repeat(1 << 20), least: HOSTILE },
  'colours without text': { text: '\x1b[1;31m', least: HOSTILE },
  'nothing but ESC': { text: '\x1b', least: HOSTILE },
  'cursor up, again and again': { text: '\x1b[A', least: HOSTILE },
  'a progress bar': { text: `\r\x1b[K[${'#'.repeat(40)}${' '.repeat(40)}] 50 %` },
  'cells (returns and overwriting)': { text: `${'x'.repeat(70)}\roverwritten text\r\n`, share: 0.5 },
  'full-screen repaints': { text: `\x1b[H\x1b[2J${prose.repeat(20)}` },
  'an unterminated string': { text: `\x1b]0;${'x'.repeat(1 << 20)}` },
  noise: {
    text: String.fromCharCode(...Array.from({ length: 65536 }, (_, at) => (Math.imul(at, 2654435761) >>> 13) & 255)),
  },
  'one-byte chunks of plain text': { texts: (seed) => generate('plain', seed), chunk: 1, share: 0.25 },
};

export const scan: Bench = {
  name: 'scan',
  summary: 'output that the ears hear in a second of CPU time',
  run: ({ seed }) => Object.entries(inputs).map(([name, input]) => rates(name, input, seed)),
};

function rates(name: string, { texts, text = '', chunk = CHUNK, share = 1, least }: Input, seed: number): Figure {
  const size = Math.round(MEGABYTES * share * 1e6);
  const unit = Buffer.from(text, name === 'noise' ? 'latin1' : 'utf8');
  const bytes = texts ? Buffer.concat([...upTo(size, toTerminal(texts(seed)))]).subarray(0, size) : Buffer.alloc(size);
  if (!texts) for (let at = 0; at < size; at += unit.length) unit.copy(bytes, at);
  const run = (limit: number, hearing: Pick<Hearing, 'push'> = createHearing()): number => {
    const before = process.cpuUsage();
    for (let at = 0; at < limit; at += chunk) {
      const slice = bytes.subarray(at, Math.min(at + chunk, limit));
      hearing.push({ kind: 'out', position: at, end: at + slice.length, time: 0, bytes: slice, bytesPosition: at });
    }
    const { user, system } = process.cpuUsage(before);
    return limit / (user + system);
  };
  run(Math.min(size, WARM_UP_BYTES));
  const half = run(Math.floor(size / 2));
  // Also measures the fixed cost of a chunk without a reader: a view of the bytes and a record.
  const unheard = chunk === 1 ? `, with nobody to hear it: ${format(run(size, { push: () => [] }))} MB/s` : '';
  const note = `half the size: ${format(half)} MB/s${unheard}`;
  return { what: name, value: run(size), unit: 'MB/s', ...(least !== undefined && { least }), note };
}
