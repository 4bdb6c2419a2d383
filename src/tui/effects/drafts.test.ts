import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDraftFiles, draftsIn } from './drafts.js';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'orchd-drafts-')), 'drafts');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

test('keeps drafts for the next TUI, readable only by the owner, until they are sent', () => {
  const files = createDraftFiles(folder);
  expect(files.load()).toEqual(new Map());
  files.save(
    new Map([
      ['itm_a', 'half an\nanswer'],
      ['itm_b', 'ü'],
    ]),
  );
  expect(statSync(join(folder, 'itm_a')).mode & 0o777).toBe(0o600);
  const next = createDraftFiles(folder);
  expect(next.load()).toEqual(
    new Map([
      ['itm_a', 'half an\nanswer'],
      ['itm_b', 'ü'],
    ]),
  );
  next.save(new Map([['itm_b', 'ü']]));
  expect(createDraftFiles(folder).load()).toEqual(new Map([['itm_b', 'ü']]));
});

test('two TUIs do not overwrite the drafts of each other', () => {
  const [one, other] = [createDraftFiles(folder), createDraftFiles(folder)];
  one.load();
  other.load();
  one.save(new Map([['itm_a', 'one']]));
  other.save(new Map([['itm_b', 'other']]));
  one.save(new Map());
  expect(createDraftFiles(folder).load()).toEqual(new Map([['itm_b', 'other']]));
});

test('an attached terminal reads and changes the draft of an item, and leaves the others', () => {
  createDraftFiles(folder).save(new Map([['itm_a', 'one']]));
  const drafts = draftsIn(folder);
  expect([drafts.get('itm_a'), drafts.get('itm_b')]).toEqual(['one', '']);
  drafts.set('itm_b', 'two');
  drafts.set('itm_a', '');
  expect(createDraftFiles(folder).load()).toEqual(new Map([['itm_b', 'two']]));
});

test('ignores other files, and removes drafts of closed items after a week', () => {
  const DAYS = 24 * 60 * 60 * 1000;
  let passed = 0;
  const files = createDraftFiles(folder, () => Date.now() + passed);
  files.save(
    new Map([
      ['itm_a', 'kept'],
      ['itm_old', 'closed'],
    ]),
  );
  files.forgetAllBut(new Set(['itm_a']));
  expect(readdirSync(folder).sort()).toEqual(['itm_a', 'itm_old']);
  passed = 8 * DAYS;
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  files.forgetAllBut(new Set(['itm_a']));
  expect(readdirSync(folder).sort()).toEqual(['itm_a', 'notes.txt']);
  expect([...createDraftFiles(folder).load().keys()]).toEqual(['itm_a']);
  expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('mine');
});

test('does not throw if the folder cannot be written', () => {
  writeFileSync(folder, 'a file');
  const files = createDraftFiles(folder);
  expect(files.load()).toEqual(new Map());
  expect(() => files.save(new Map([['itm_a', 'x']]))).not.toThrow();
});
