/** Checks the built files of the programs. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { HEAP_FLAGS } from '../protocol/index.js';
import { quickEntries } from './quick-bundles.js';

const DIST = join(import.meta.dirname, '../../dist');
const { compiledFile, scriptOf } = createRequire(import.meta.url)('../../bin/load-bundle.js') as {
  compiledFile(file: string): string;
  scriptOf(file: string): Script;
};
/** Files that begin to run when they are imported. */
const PROGRAMS = [
  ...['cli.js', 'daemon.js', 'demo-agent.js', 'host.js'],
  ...['daemon-main.cjs', 'sqlite-worker.cjs', 'checker-worker.cjs'],
  ...Object.keys(quickEntries).map((name) => `${name}.cjs`),
];
/** An import with its source, in any form that the bundler writes, at the start or later. */
const IMPORT = /(?:\bfrom ?|\bimport[ (]?|\brequire\()["'`]\.\/([^"'`]+)["'`]/g;

/** Returns a file and all that it imports. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !existsSync(join(DIST, file))) return seen; // a comment may name others
  seen.add(file);
  for (const [, next = ''] of readFileSync(join(DIST, file), 'utf8').matchAll(IMPORT)) reach(next, seen);
  return seen;
}

test('no program imports another one, because that would run', () => {
  const reached = PROGRAMS.map((program) => [program, ...[...reach(program)].filter((file) => file !== program)]);
  expect(reached.flat().length).toBeGreaterThan(100);
  const found = reached.filter(([, ...files]) => files.some((file) => PROGRAMS.includes(file)));
  expect(found).toEqual([]);
});

/** The files that bin/load-bundle.js loads. Earlier builds may have left others. */
const loaded = (): string[] => {
  const programs = PROGRAMS.filter((program) => /^(daemon-main|quick-[a-z_]+)\.cjs$/.test(program));
  return [...new Set(programs.flatMap((program) => [...reach(program)]))];
};

test('CommonJS bundles import nothing dynamically: bin/load-bundle.js has only `require`', () => {
  expect(loaded().filter((file) => /\bimport\(["'`]/.test(readFileSync(join(DIST, file), 'utf8')))).toEqual([]);
});

test('CommonJS bundles are ASCII, because bin/load-bundle.js does not decode them', () => {
  expect(loaded().length).toBeGreaterThan(50);
  expect(loaded().filter((file) => /[^\0-\x7f]/.test(readFileSync(join(DIST, file), 'latin1')))).toEqual([]);
});

test('the compiled code has the functions that a daemon and frequent commands called in the rehearsal', () => {
  const called = loaded().filter((name) => /^(daemon-main|.*quick-start-[^/]*)\.cjs$/.test(name));
  expect(called.length).toBe(2);
  for (const file of called.map((name) => join(DIST, name)))
    expect(statSync(compiledFile(file)).size, file).toBeGreaterThan(1.2 * scriptOf(file).createCachedData().length);
});

test('a bundle that its own chunk requires is evaluated once, whatever its path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orchd-'));
  try {
    writeFileSync(join(folder, 'program.cjs'), "console.log('runs'); exports.word = 'known'; require('./chunk.cjs');");
    writeFileSync(join(folder, 'chunk.cjs'), "console.log(require('./program.cjs').word);");
    const script = `require(${JSON.stringify(join(DIST, '../bin/load-bundle.js'))}).loadBundle(process.argv[1])`;
    const { stdout } = spawnSync(process.execPath, ['-e', script, `${folder}/../${basename(folder)}/program.cjs`], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('runs\nknown\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Reports each script, and if V8 refused the compiled code for it. */
const REPORT = `data:text/javascript,
  import vm from 'node:vm';
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(source, options) {
      super(source, options);
      process.stderr.write('script ' + options.filename + ' refused: ' + this.cachedDataRejected + '\\n');
    }
  }`.replaceAll('\n', ' ');

test.each([
  ['the daemon', [...HEAP_FLAGS], join(DIST, 'daemon.js'), '--port', 'none'],
  ['a frequent command', [], join(DIST, '../bin/orchd.js'), 'ls', '--help'],
])('%s runs the code that V8 compiled at build time', (_name, flags, ...program) => {
  const home = mkdtempSync(join(tmpdir(), 'orchd-'));
  try {
    const env = { ...process.env, ORCHD_HOME: home };
    const { stderr } = spawnSync(process.execPath, [...flags, '--import', REPORT, ...program], {
      env,
      encoding: 'utf8',
    });
    const reports = stderr.split('\n').filter((line) => line.startsWith('script '));
    expect(reports).not.toEqual([]);
    expect(reports.filter((line) => !line.endsWith('refused: false'))).toEqual([]);
  } finally {
    rmSync(home, { recursive: true });
  }
});
