/** Tests that lines are found wherever the chunks are cut. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { createLineSplitter } from './lines.js';

function split(chunks: readonly Buffer[], maxBytes: number): string[] {
  const found: string[] = [];
  const splitter = createLineSplitter(
    maxBytes,
    (line) => found.push(line),
    () => found.push('(oversized)'),
  );
  for (const chunk of chunks) splitter.push(chunk);
  return found;
}

describe('line splitter', () => {
  it('finds the same lines however the input is split', () => {
    const text = Buffer.from('{"a":1}\n\n{"b":"ü€"}\nrest');
    for (let cut = 0; cut <= text.length; cut++) {
      expect(split([text.subarray(0, cut), text.subarray(cut)], 100)).toEqual(['{"a":1}', '{"b":"ü€"}']);
    }
  });

  it('reports a line that is too long once, and continues with the next', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 })), (sizes) => {
        const text = Buffer.from(`short\n${'x'.repeat(50)}\nnext\n`);
        const chunks: Buffer[] = [];
        let from = 0;
        for (const size of sizes) {
          chunks.push(text.subarray(from, from + size));
          from += size;
        }
        expect(split([...chunks, text.subarray(from)], 20)).toEqual(['short', '(oversized)', 'next']);
      }),
      tries(100),
    );
  });
});
