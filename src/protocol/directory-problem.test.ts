import { expect, it } from 'vitest';
import { directoryProblem } from './paths.js';

const UID = 1000;
const stat = (mode: number, uid = UID, isDirectory = true) => ({ mode, uid, isDirectory: () => isDirectory });

it.each([0o700, 0o755])('accepts a folder of the user to which others cannot write (%o)', (mode) => {
  expect(directoryProblem('/run/orchd', stat(mode), UID)).toBeNull();
});

it('refuses a folder in which another user could replace the sockets', () => {
  expect(directoryProblem('/run/orchd', stat(0o770), UID)).toBe(
    'others can write to /run/orchd; `chmod go-w /run/orchd` stops that',
  );
  expect(directoryProblem('/run/orchd', stat(0o702), UID)).toBe(
    'others can write to /run/orchd; `chmod go-w /run/orchd` stops that',
  );
  expect(directoryProblem('/run/orchd', stat(0o700, 0), UID)).toContain('belongs to another user (uid 0)');
  expect(directoryProblem('/run/orchd', stat(0o700, UID, false), UID)).toBe('/run/orchd is not a directory');
});
