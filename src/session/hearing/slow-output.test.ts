import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Screen } from '../../terminal/index.js';
import { createRecorder } from '../recordings/made-journal.js';
import { createHearing } from './session-hearing.js';

/** Output that `npm run test:hard -- slow` generated. Some cases took seconds for each KiB. */
interface SlowCase {
  readonly before: string;
  readonly parts: readonly string[];
}
const url = new URL('../../../fixtures/slow/cases.json', import.meta.url);
const cases = JSON.parse(readFileSync(url, 'utf8')) as SlowCase[];
const OUTPUT_BYTES = 8 * 1024;

it.each(cases.map(({ before, parts }) => ({ name: JSON.stringify(parts.join('').slice(0, 60)), before, parts })))(
  'reads and shows the output $name and the output after it',
  ({ before, parts }) => {
    const once = parts.join('');
    const output = Buffer.from(before + once.repeat(Math.ceil(OUTPUT_BYTES / Buffer.byteLength(once))));
    const after = Buffer.from(
      '\x18\x1b\\\x1b[?1049l\x1bc\x1b]0;\x07the end\r\n:ORCHESTRATOR: QUESTION - Which one?\r\n',
    );
    const hearing = createHearing({});
    const record = createRecorder();
    hearing.push(record({ kind: 'start', sessionId: 's', command: ['sh'], cwd: '/', pid: 1, cols: 120, rows: 40 }));
    for (let at = 0; at < output.length; at += 4096) {
      hearing.push(record({ kind: 'out', bytes: output.subarray(at, at + 4096) }));
    }
    const found = [
      ...hearing.push(record({ kind: 'out', bytes: after })),
      ...hearing.push(record({ kind: 'tick', quietMs: 400 })),
    ];
    expect(found.map(({ kind }) => kind)).toContain('message');
    const screen = new Screen({ cols: 120, rows: 40, scrollbackLines: 1000, onReply: () => {} });
    screen.feed(Buffer.concat([output, after]));
    expect(screen.look({}).join('\n')).toContain('the end');
    screen.dispose();
  },
);
