/**
 * Hears random full-screen programs (test/harness/random-painter.ts), and compares what was heard with what they said.
 *
 * A *wrong* word is a message that was heard more often than it was said, or with other words. Other words are right
 * only if the message is marked as not exact and nearly all its letters are the same. A message that was not heard is
 * counted, and does not fail the test.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type HeardPainter, hearPainter } from '../harness/painter-score.js';
import { randomConversation } from '../harness/random-painter.js';
import type { HardTest } from './run.js';

export const hard: HardTest = {
  summary: 'random full-screen programs are heard truly',
  options: [
    '--runs N       programs (2000)',
    '--from SEED    the first seed (1)',
    '--frame NAME   only this layout; other parts of the style as JSON with --style',
    '--style JSON   parts of the style of all programs',
    '--resizes      resize the terminal between turns',
    '--plain        no characters of unsure width',
    '--save FILE    write the recording of the last wrong program',
  ],
  async run(args) {
    const { values } = parseArgs({
      args,
      options: {
        runs: { type: 'string', default: '2000' },
        from: { type: 'string', default: '1' },
        frame: { type: 'string' },
        style: { type: 'string', default: '{}' },
        resizes: { type: 'boolean', default: false },
        plain: { type: 'boolean', default: false },
        save: { type: 'string' },
      },
    });
    const first = Number(values.from);
    const frame = values.frame === undefined ? {} : { frame: values.frame };
    const style = { ...JSON.parse(values.style), ...frame };
    const sums = new Map<string, { said: number; heard: number; guessed: number; wrong: number }>();
    let wrong = 0;
    for (let seed = first; seed < first + Number(values.runs); seed++) {
      const said = randomConversation(seed, { style, resizes: values.resizes, isPlain: values.plain });
      const score = hearPainter(said);
      for (const name of ['all', said.style.frame]) addTo(sums, name, score);
      if (score.wrong.length === 0) continue;
      wrong += score.wrong.length;
      console.log(`seed ${seed}: ${score.wrong.join('\n  ')}\n  ${JSON.stringify(said.style)}`);
      if (values.save) writeFileSync(values.save, score.cast);
    }
    console.log(['', 'said', 'heard', 'guessed', 'wrong', 'recall'].join('\t'));
    for (const [name, { said, heard, guessed, wrong: bad }] of sums)
      console.log([name, said, heard, guessed, bad, (heard / said).toFixed(3)].join('\t'));
    if (wrong > 0) throw new Error(`${wrong} wrong words`);
  },
};

type Sum = { said: number; heard: number; guessed: number; wrong: number };

function addTo(sums: Map<string, Sum>, name: string, score: HeardPainter): void {
  const sum = sums.get(name) ?? { said: 0, heard: 0, guessed: 0, wrong: 0 };
  sum.said += score.said;
  sum.heard += score.heard;
  sum.guessed += score.guessed;
  sum.wrong += score.wrong.length;
  sums.set(name, sum);
}
