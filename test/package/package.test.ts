/**
 * Tests the npm package: `npm pack`, unpacked as `npm install` does it, next to the packages that it depends on. These
 * come from this checkout, so the test needs no network. One test has npm install all of it for real.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** A text that only the NATS packages contain. */
const NATS_HEADER = 'Nats-Expected-Last-Subject-Sequence';
/** The files that a bundle loads at its start. It loads others later, by functions. */
const IMPORTED = /^(?:import|export)[^'"()]*["']\.\/([^"']+)["']|=require\(`\.\/([^`]+)`\)/gm;
const ROOT = join(import.meta.dirname, '../..');

let project: string;
let installed: string;
let files: readonly string[];
let tarball: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'orchd-package-'));
  // The build already exists (`npm test` makes it), so `prepare` need not run.
  const packed = run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], ROOT);
  const [made] = JSON.parse(packed.stdout) as { filename: string; files: { path: string }[] }[];
  files = made?.files.map(({ path }) => path) ?? [];
  tarball = made?.filename ?? '';
  installed = join(project, 'node_modules/orchd');
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', join(project, tarball), '-C', installed, '--strip-components=1'], project);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  ) as Record<'dependencies' | 'optionalDependencies', Record<string, string>>;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    mkdirSync(join(project, 'node_modules', name, '..'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
});

afterAll(() => {
  orchd('stop');
  rmSync(project, { recursive: true });
});

/** `npm pack` lists its files, also those of earlier builds. */
const MAX_BYTES = 64 * 1024 * 1024;

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env) {
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: MAX_BYTES });
  expect([done.status, done.error], `${command} ${args.join(' ')}: ${done.stderr}`).toEqual([0, undefined]);
  return done;
}

function orchd(...args: string[]): string {
  const env = { ...process.env, ORCHD_HOME: join(project, 'home'), NO_COLOR: '1' };
  return run(process.execPath, [join(installed, 'bin/orchd.js'), ...args], project, env).stdout;
}

test('the package contains what users need, and neither sources nor build caches', () => {
  for (const file of [
    'bin/orchd.js',
    'dist/cli.js',
    'dist/daemon.js',
    'dist/daemon-main.cjs',
    'dist/host.js',
    'dist/web/index.html',
    'LICENSE',
  ])
    expect(files).toContain(file);
  for (const file of ['docs/orchd.1', 'dist/library.d.ts']) expect(files).toContain(file);
  expect(files).toContain('protocol/openapi.json');
  expect(files.filter((file) => /^(src|test|fixtures|dist\/types)\/|\.tsbuildinfo$|\.cast(\.gz)?$/.test(file))).toEqual(
    [],
  );
});

test('the installed package runs a session that asks, is answered and ends', () => {
  expect(orchd('version')).toContain('0.1.0');
  orchd('start', '--detach', '--no-tcp');
  const script = 'echo ":ORCHESTRATOR: QUESTION - Which colour?"; read -r answer; echo "painting it $answer"';
  orchd('run', '-d', '--name', 'painter', '--', 'sh', '-c', script);
  orchd('wait', 'painter', '--until', 'waiting', '--timeout', '30s');
  orchd('answer', orchd('inbox', '-q').trim(), 'blue');
  orchd('wait', 'painter', '--timeout', '30s');
  expect(orchd('capture', 'painter')).toContain('painting it blue');
});

test("the daemon and the CLI load the hub's packages only on demand", () => {
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(installed, 'dist', file), 'utf8');
    for (const [, module = '', common = module] of text.matchAll(IMPORTED)) load(common);
  };
  for (const entry of ['daemon-main.cjs', 'cli.js']) load(entry);
  expect(loaded.size).toBeGreaterThan(2);
  const isHub = (file: string): boolean => readFileSync(join(installed, 'dist', file), 'utf8').includes(NATS_HEADER);
  expect([...loaded].filter(isHub)).toEqual([]);
  expect(files.filter((file) => /^dist\/[^/]+\.c?js$/.test(file)).filter((file) => isHub(file.slice(5)))).not.toEqual(
    [],
  );
});

test('the demo starts its agents', () => {
  orchd('demo', '--no-tui');
  orchd('wait', 'demo-auth', '--until', 'waiting', '--timeout', '30s');
  expect(orchd('inbox')).toContain('Which authentication method should I use?');
});

test('the package can be imported and has types', () => {
  const script = "import('orchd').then(({ connect }) => console.log(typeof connect))";
  expect(run(process.execPath, ['-e', script], project).stdout).toBe('function\n');
  const { exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, { types: string; default: string }>;
  };
  for (const path of Object.values(exports['.'] ?? {})) expect(existsSync(join(installed, path)), path).toBe(true);
});

/** node-gyp compiles with these headers. Without them it would download others. */
const hasHeaders = existsSync(join(dirname(process.execPath), '../include/node/node.h'));
if (!hasHeaders) process.stderr.write(`skipped: the real npm install needs the headers of ${process.execPath}\n`);

/**
 * Writes a dependency as npm gets it from the registry, without what was compiled here, and without what is for Windows.
 * `npm pack` would compress it, which takes 8 s of CPU time.
 *
 * @returns The name of the archive in the folder.
 */
function archiveOf(name: string, folder: string): string {
  const file = `${name.replace('/', '-')}.tar`;
  const from = join(ROOT, 'node_modules', name);
  const isLeftOut = new RegExp(`^${join(from, '(build|prebuilds/win32-[^/]*)')}$`);
  const copy = join(folder, 'copies', name);
  cpSync(from, join(copy, 'package'), { recursive: true, filter: (path) => !isLeftOut.test(path) });
  run('tar', ['-cf', join(folder, file), '-C', copy, 'package'], folder);
  return file;
}

// npm and the compiler need 10 s of CPU time.
const REAL_INSTALL = { timeout: 180_000 };
test.skipIf(!hasHeaders)(
  'npm installs the package without network, and its scripts compile what is missing',
  REAL_INSTALL,
  () => {
    const folder = join(project, 'real');
    mkdirSync(folder);
    // The cache of npm has no lists of versions after `npm ci`: each dependency is named as a file.
    const names = ['node-pty', '@photostructure/sqlite', 'node-addon-api', 'node-gyp-build'];
    const overrides = Object.fromEntries(names.map((name) => [name, `file:./${archiveOf(name, folder)}`]));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'user', version: '1.0.0', overrides }));
    const paths = { npm_config_cache: join(folder, 'cache'), ORCHD_HOME: join(folder, 'home') };
    const env = { ...process.env, ...paths, CXXFLAGS: '-O0' }; // compiles faster
    const flags = ['--offline', '--ignore-scripts=false', '--no-audit', '--no-fund'];
    run('npm', ['install', ...flags, join(project, tarball)], folder, env);
    const bin = join(folder, 'node_modules/.bin/orchd');
    try {
      run(bin, ['start', '--detach', '--no-tcp'], folder, env);
      run(bin, ['run', '-d', '--name', 'painter', '--', 'echo', 'painting'], folder, env);
      run(bin, ['wait', 'painter', '--timeout', '30s'], folder, env);
      expect(run(bin, ['capture', 'painter'], folder, env).stdout).toContain('painting');
    } finally {
      run(bin, ['stop'], folder, env);
    }
  },
);

test('without a compiler the package is installed, and its first start says what is missing', () => {
  rmSync(join(project, 'node_modules/node-pty'));
  const env = { PATH: join(project, 'empty'), HOME: project, ORCHD_HOME: join(project, 'other'), NO_COLOR: '1' };
  const start = [join(installed, 'bin/orchd.js'), 'start', '--detach', '--no-tcp', '--quiet'];
  const { status, stderr } = spawnSync(process.execPath, start, { cwd: project, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    'orchd: node-pty 1.1.0, which opens terminals, is not compiled: this machine has no C++ compiler and no make and no ' +
      'Python 3\n  If something is missing, install it, then orchd again, in a checkout with `npm install`.\n',
  ]);
});

test('with a compiler, but without install scripts, the first start says how node-pty is compiled', () => {
  const tools = join(project, 'tools');
  mkdirSync(tools);
  for (const tool of ['c++', 'make', 'python3']) writeFileSync(join(tools, tool), '#!/bin/sh\n', { mode: 0o755 });
  const pty = join(project, 'node_modules/node-pty');
  rmSync(pty, { recursive: true, force: true });
  for (const part of ['package.json', 'lib'])
    cpSync(join(ROOT, 'node_modules/node-pty', part), join(pty, part), { recursive: true });
  const env = { PATH: tools, HOME: project, ORCHD_HOME: join(project, 'third'), NO_COLOR: '1' };
  const start = [join(installed, 'bin/orchd.js'), 'start', '--detach', '--no-tcp', '--quiet'];
  const { status, stderr } = spawnSync(process.execPath, start, { cwd: project, env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('npm was not allowed to run its install script. `npm rebuild node-pty` in ');
});
