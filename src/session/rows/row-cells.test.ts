import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '../../../test/harness/tries.js';
import { RowCells } from './row-cells.js';

const piece = fc.constantFrom('a', 'text', '\t', 'é', '進', '🚀', '\u0301', 'e\u0301\u0302', ' ', '\ufeff');
const printed = fc.oneof(
  fc.array(piece).map((pieces) => Buffer.from(pieces.join(''))),
  fc.uint8Array({ min: 32 }).map((bytes) => Buffer.from(bytes)),
);
const step = fc.oneof(
  { weight: 4, arbitrary: printed },
  { weight: 1, arbitrary: fc.constantFrom('return', 'back', 'erase', 'delete', 'insert') },
);
const width = fc.constantFrom(0, 0, 1, 2, 5, 80);

function carryOut(cells: RowCells, edit: string): void {
  cells.flush();
  if (edit === 'return') cells.return();
  else if (edit === 'back') cells.moveBy(-2);
  else if (edit === 'erase') cells.eraseChars(2);
  else if (edit === 'delete') cells.deleteChars(1);
  else cells.insertChars(1);
}

describe('row cells', () => {
  it('are the same however the output is split, and from any checkpoint', () => {
    fc.assert(
      fc.property(width, fc.array(step, { maxLength: 12 }), (columns, steps) => {
        const whole = new RowCells(columns);
        let bytewise = new RowCells(columns);
        for (const each of steps) {
          if (typeof each === 'string') {
            carryOut(whole, each);
            carryOut(bytewise, each);
          } else {
            whole.write(each, 0, each.length);
            for (let at = 0; at < each.length; at++) bytewise.write(each, at, at + 1);
          }
          expect(bytewise.state()).toEqual(whole.state());
          expect(bytewise.text()).toBe(whole.text());
          bytewise = new RowCells(columns, JSON.parse(JSON.stringify(bytewise.state())));
        }
      }),
      tries(500),
    );
  });

  it('start with the text that head returns', () => {
    fc.assert(
      fc.property(width, printed, fc.nat(9), (columns, bytes, shown) => {
        const cells = new RowCells(columns);
        cells.write(bytes, 0, bytes.length);
        const head = cells.head(shown)?.toString();
        if (head === undefined) expect(cells.length).toBeLessThanOrEqual(shown);
        else expect(cells.text().startsWith(head)).toBe(true);
      }),
      tries(300),
    );
  });

  it('show characters of every width, and a partial one as U+FFFD', () => {
    const cells = new RowCells(0);
    const bytes = Buffer.concat([Buffer.from('進捗 e\u0301🚀'), Buffer.of(0xe2)]);
    cells.write(bytes, 0, bytes.length);
    expect(cells.text()).toBe('進捗 e\u0301🚀\ufffd');
    expect(cells.head(2)?.toString()).toBe('進');
    expect(cells.head(8)).toBe(null);
  });
});
