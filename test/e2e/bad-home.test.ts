/** Tests that every command refuses an unusable home or socket path and names the obstacle. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { test as base } from '../harness/fresh-daemon.js';
import { mountSmallDisk } from '../harness/small-disk.js';

const BIN = join(import.meta.dirname, '../../bin/orchd.js');

const test = base.extend<{ dir: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from the pattern
  dir: async ({}, use) => {
    const dir = mkdtempSync(join(tmpdir(), 'orchd-'));
    await use(dir);
    rmSync(dir, { recursive: true });
  },
});

/** Runs orchd and kills a command that does not end in time. */
function orchd(place: { home?: string; socket?: string; cwd?: string }, ...args: string[]) {
  return execute(process.execPath, [BIN, ...args], place);
}

async function execute(
  program: string,
  args: readonly string[],
  { home, socket, cwd }: { home?: string; socket?: string; cwd?: string },
): Promise<{ status: number; stdout: string; stderr: string }> {
  const env = { ...process.env, ORCHD_SOCKET: socket, ORCHD_HOME: home };
  return new Promise((resolve) => {
    const options = { env, cwd, timeout: 20_000, killSignal: 'SIGKILL' } as const;
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

describe.concurrent('ORCHD_HOME', () => {
  test('makes every command name the file and fail if it is a file or below a file', async ({ dir }) => {
    const file = join(dir, 'file');
    writeFileSync(file, 'precious');
    for (const [home, inTheWay] of [
      ['/dev/null/x', '/dev/null'],
      [file, file],
    ] as const) {
      for (const args of [
        ['start', '--detach'],
        ['demo', '--no-tui'],
        ['run', '-d', '--', 'true'],
        ['ls'],
        ['status'],
      ]) {
        const { status, stderr } = await orchd({ home }, ...args, '--json');
        const problem = JSON.parse(stderr);
        expect([status, problem.code], args.join(' ')).toEqual([1, 'ORCHD_FILE']);
        expect(problem.error).toMatch(`${inTheWay} is not a directory`);
        expect(problem.error).toContain('ORCHD_HOME');
      }
    }
    expect(readFileSync(file, 'utf8')).toBe('precious');
  });

  test('is refused if it is a relative path', async () => {
    const { status, stderr } = await orchd({ home: 'rel/x' }, 'start', '--detach', '--json');
    expect([status, JSON.parse(stderr)]).toEqual([
      1,
      expect.objectContaining({ code: 'ORCHD_FILE', error: "ORCHD_HOME is 'rel/x'; it has to be an absolute path" }),
    ]);
  });

  test('is refused together with a relative ORCHD_SOCKET', async () => {
    const { status, stderr } = await orchd({ home: '/tmp/none', socket: 'own.sock' }, 'ls', '--json');
    expect([status, JSON.parse(stderr)]).toEqual([
      2,
      expect.objectContaining({
        code: 'ORCHD_SOCKET_PATH',
        error: "ORCHD_SOCKET is 'own.sock'; it has to be an absolute path",
      }),
    ]);
  });

  test.for(['own.sock', 'own-host.sock'])(
    'starts no host if the socket would replace the file %s',
    async (name, { dir }) => {
      const file = join(dir, name);
      writeFileSync(file, 'precious');
      const place = { home: join(dir, 'home'), socket: join(dir, 'own.sock') };
      const { status, stderr } = await orchd(place, 'start', '--detach', '--no-tcp', '--json');
      expect([status, JSON.parse(stderr)]).toEqual([
        2,
        expect.objectContaining({ code: 'ORCHD_SOCKET_PATH', error: expect.stringContaining(`${file} is there`) }),
      ]);
      expect(readFileSync(file, 'utf8')).toBe('precious');
      expect(existsSync(join(dir, 'home/state/host.log'))).toBe(false);
    },
  );

  test.for([24, 36, 48])(
    'gives one error message without a stack trace with at most %i open files',
    async (limit, { dir }) => {
      const command = `ulimit -n ${limit}; exec ${process.execPath} ${BIN} start --detach --no-tcp --quiet`;
      const { status, stderr } = await execute('sh', ['-c', command], { home: dir });
      await orchd({ home: dir }, 'stop', '--quiet');
      if (limit < 30) expect(stderr).toMatch(/raise the limit: `ulimit -n 1024`/i);
      if (status !== 0) expect(stderr).toMatch(/^orchd: [^\n]+\n {2}[^\n]+\n$/);
    },
  );

  test.skipIf(process.platform !== 'linux')(
    'names the limit of address space that ends the daemon, also in doctor',
    async ({ dir }) => {
      const limited = (command: string) =>
        execute('sh', ['-c', `ulimit -v 1000000; exec ${process.execPath} ${BIN} ${command}`], { home: dir });
      const { status, stderr } = await limited('start --detach --no-tcp --quiet');
      if (status === 0) await orchd({ home: dir }, 'stop', '--quiet');
      else expect(stderr).toMatch(/^orchd: [^\n]*(?:address space|cannot|could not)[^\n]*\n {2}[^\n]+\n$/);
      expect((await limited('doctor --quiet')).stdout).toContain('1024 MB of address space: `ulimit -v unlimited`');
    },
  );

  test('is told by doctor if it is on a read-only disk', async ({ dir, skip }) => {
    const disk = mountSmallDisk(1, { path: dir });
    if (!disk) return skip();
    disk.remount('ro');
    const { status, stdout } = await orchd({ home: dir }, 'doctor', '--quiet');
    const { stderr } = await orchd({ home: dir }, 'start', '--detach', '--no-tcp');
    disk.remount('rw');
    spawnSync('umount', ['-l', dir]);
    expect([status, stdout]).toEqual([1, expect.stringContaining(`${dir}/state cannot be made: EROFS`)]);
    expect(stderr).toContain('EROFS');
  });

  test('shows control characters of an invalid project configuration as code points', async ({ dir }) => {
    mkdirSync(join(dir, '.orchd'));
    writeFileSync(join(dir, '.orchd/config.toml'), 'a = "\x1b]0;mine\x07');
    const { stderr } = await orchd({ home: join(dir, 'home'), cwd: dir }, 'config');
    expect(stderr).toContain('a = "‹U+001B›]0;mine‹U+0007›');
  });

  const folder = (path: string): void => void mkdirSync(path);
  const file = (path: string): void => writeFileSync(path, '');
  /** Opening a pipe would block until another process opens its other end. */
  const pipe = (path: string): void => void execFileSync('mkfifo', [path]);
  /** Reading a device might never end. */
  const device = (path: string): void => symlinkSync('/dev/random', path);
  const linkTo = (target: string) => (path: string) => symlinkSync(target, path);

  test.for([
    ['state/daemon.log', 'a folder', 'cannot be written', folder],
    ['state/daemon.log', 'a pipe', 'cannot be written', pipe],
    ['state/host.log', 'a pipe', 'is not a regular file', pipe],
    ['state/daemon.pid', 'a pipe', 'is not a regular file', pipe],
    ['state/hearing', 'a pipe', 'is not a regular file', pipe],
    ['data/token', 'a pipe', 'is not a regular file', pipe],
    ['config/config.toml', 'a pipe', 'is not a regular file', pipe],
    ['data/token', 'a device', 'is not a regular file', device],
    ['data/orchd.sqlite', 'a device', 'is not a regular file', device],
    ['state/daemon.pid', 'a device', 'is not a regular file', device],
    ['state/hearing', 'a device', 'is not a regular file', device],
    ['config/config.toml', 'a device', 'is not a regular file', device],
    ['config/config.toml', 'a link to itself', 'cannot be read: ELOOP', linkTo('config.toml')],
    ['config/config.toml', 'a link to nothing', 'cannot be read: ENOENT', linkTo('elsewhere/config.toml')],
    ['data', 'a file', 'is not a directory', file],
  ] as const)('is refused if %s is %s, and named', async ([name, , words, make], { dir }) => {
    for (const part of ['state', 'config', ...(name === 'data' ? [] : ['data'])])
      mkdirSync(join(dir, part), { mode: 0o700 });
    make(join(dir, name));
    const { status, stderr } = await orchd({ home: dir }, 'start', '--detach', '--no-tcp', '--json');
    const problem = { code: 'ORCHD_FILE', error: expect.stringContaining(`${dir}/${name} ${words}`) };
    expect([status, JSON.parse(stderr)]).toEqual([1, expect.objectContaining(problem)]);
  });

  test.skipIf(process.platform !== 'linux')('is refused if the kernel does not let orchd create it', async () => {
    for (const args of [
      ['start', '--detach'],
      ['demo', '--no-tui'],
      ['run', '-d', '--', 'true'],
    ]) {
      const { status, stderr } = await orchd({ home: '/proc/nope' }, ...args, '--json');
      expect([status, JSON.parse(stderr)], args.join(' ')).toEqual([
        1,
        expect.objectContaining({ code: 'ORCHD_FILE', error: expect.stringContaining('nothing can be made in /proc') }),
      ]);
    }
  });
});

describe.concurrent('a socket path', () => {
  test('is reused if its socket has no listener', async ({ fresh }) => {
    const own = await fresh();
    await own.crash();
    expect(existsSync(own.paths.socket)).toBe(true);
    expect((await own.orchd('start', '--detach', '--no-tcp')).code).toBe(0);
    expect((await own.orchd('status')).code).toBe(0);
  });

  test('is refused if it is another kind of file, which is kept', async ({ fresh }) => {
    const own = await fresh();
    await own.orchd('stop');
    writeFileSync(own.paths.socket, 'precious');
    const { code, stderr } = await own.orchd('start', '--detach', '--no-tcp');
    expect(code).toBe(2);
    expect(stderr).toContain('not a socket');
    expect(readFileSync(own.paths.socket, 'utf8')).toBe('precious');
    rmSync(own.paths.socket);
  });

  test('makes every command fail before anything starts if it has more than 107 bytes', async () => {
    const socket = `/tmp/${'x'.repeat(110)}.sock`;
    for (const command of ['start', 'ls', 'status']) {
      const { status, stderr } = await orchd({ socket }, command, '--json');
      expect([status, JSON.parse(stderr).code]).toEqual([2, 'ORCHD_SOCKET_PATH']);
    }
  });
});
