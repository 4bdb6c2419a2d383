import { expect, test } from 'vitest';
import { bytesText, diskWords, journalWords } from './disk-words.js';

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 KB'],
  [9_950_000, '10 MB'],
  [8_400_000, '8.4 MB'],
  [999_600_000, '1.0 GB'],
  [256 * 1024 * 1024, '268 MB'],
])('shows %i bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test('shows the size of a journal, and its rate while it grows fast', () => {
  expect(journalWords({ bytes: 12_000_000, bytes_per_second: 10 })).toBe('12 MB');
  expect(journalWords({ bytes: 256_000_000, bytes_per_second: 8_000_000 })).toBe('256 MB, 8.0 MB/s');
});

test('describes a disk only if it is low, full or cannot be written', () => {
  const disk = { state: 'ok', path: '/home', free_bytes: 1e9, floor_bytes: 1e6, paused: 0 } as const;
  expect(diskWords(disk)).toBeNull();
  expect(diskWords(undefined)).toBeNull();
  expect(diskWords({ ...disk, state: 'full', free_bytes: 0 })).toContain('the disk of /home is full');
  expect(diskWords({ ...disk, state: 'full' })).toContain('the disk of /home cannot be written, though 1.0 GB');
  expect(diskWords({ ...disk, state: 'low', free_bytes: 5e5, paused: 2 })).toContain('500 KB left');
  expect(diskWords({ ...disk, files: { state: 'ok', free: 5e5 } })).toBeNull();
  expect(diskWords({ ...disk, files: { state: 'low', free: 90 } })).toContain('room for 90 more files');
  expect(diskWords({ ...disk, files: { state: 'full', free: 0 } })).toContain('full of files');
});
