import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { trueNames } from './true-names.js';

const path = process.env['PATH'];
let home: string;
let program: ChildProcess | null = null;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'orchd-names-'));
});

afterEach(() => {
  program?.kill('SIGKILL');
  process.env['PATH'] = path;
  rmSync(home, { recursive: true, force: true });
});

test.skipIf(process.platform !== 'linux')(
  'a program that is installed later is found, also if its folder was read before',
  async () => {
    const folder = join(home, 'bin');
    mkdirSync(folder);
    process.env['PATH'] = `${folder}:${path}`;
    const agent = join(home, 'agent');
    copyFileSync(realpathSync('/bin/sleep'), agent);
    program = spawn(agent, ['60']);
    await new Promise((resolve) => program?.once('spawn', resolve));
    const names = () => trueNames(program?.pid ?? 0, (name) => name === 'odd-shell');
    expect(names()).toEqual(['agent']);
    copyFileSync(agent, join(folder, 'odd-shell'));
    utimesSync(folder, 0, 0); // Its time of change is the present one nevertheless.
    expect(names()).toEqual(['agent', 'odd-shell']);
    rmSync(join(folder, 'odd-shell'));
    expect(names()).toEqual(['agent']);
  },
);
