import { expect, test } from 'vitest';
import { LeftOverCells } from './left-over-cells.js';
import { PlainRows } from './plain-rows.js';
import { plainRow, type ScreenRow } from './rows.js';

const row = (text: string): ScreenRow => ({ text, isSoft: false });
const THAI = '       "question": "ทำเสร็จแล้ว? (5)"';

test('characters of a row of unsure width are removed at the end of another row, behind a gap', () => {
  const cells = new LeftOverCells();
  expect(cells.without('  "type": "QUESTION",       จ    ?')).toBe('  "type": "QUESTION",       จ    ?');
  expect(cells.add(plainRow(row(THAI)))).toBe(true);
  expect(cells.add(plainRow(row(THAI)))).toBe(false);
  expect(cells.without('  "type": "QUESTION",       จ    ?')).toBe('  "type": "QUESTION",');
  expect(cells.without('                            จ    ?')).toBe('');
  expect(cells.without('  }                              ?')).toBe('  }');
});

test('words, other characters, and text behind a small gap are kept', () => {
  const cells = new LeftOverCells();
  cells.add(plainRow(row(THAI)));
  for (const text of ['  name          Act (Tab)', '  name          ●', '  a  ?', 'Which?'])
    expect(cells.without(text)).toBe(text);
});

test('two looks at a row are equal with and without such characters, also after a checkpoint', () => {
  const rules = { voices: null } as Parameters<PlainRows['of']>[1];
  const rows = new PlainRows();
  const early = row('  }          ?');
  expect(rows.of(early, rules).squashed).toBe('}?');
  rows.of(row(THAI), rules);
  for (const each of [rows, new PlainRows(JSON.parse(JSON.stringify(rows.state())))]) {
    expect(each.of(early, rules)).toMatchObject({ text: '  }          ?', squashed: '}' });
    expect(each.of(row('             ?'), rules)).toMatchObject({ squashed: '', isOrnament: true });
  }
});
