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

  test('is refused if a path that orchd writes is the wrong kind of file, which is named', async ({ dir }) => {
    const refused = async (words: string) => {
      const { status, stderr } = await orchd({ home: dir }, 'start', '--detach', '--no-tcp', '--json');
      const problem = expect.objectContaining({ code: 'ORCHD_FILE', error: expect.stringContaining(words) });
      expect([status, JSON.parse(stderr)]).toEqual([1, problem]);
    };
    mkdirSync(join(dir, 'state/daemon.log'), { recursive: true, mode: 0o700 });
    await refused(`${dir}/state/daemon.log cannot be written`);
    rmSync(join(dir, 'state/daemon.log'), { recursive: true });
    mkdirSync(join(dir, 'config'), { recursive: true });
    mkdirSync(join(dir, 'data'), { mode: 0o700 });
    // Opening a pipe would block until another process opens its other end.
    for (const [file, words] of [
      ['state/daemon.log', 'cannot be written'],
      ['state/host.log', 'is not a regular file'],
      ['state/daemon.pid', 'is not a regular file'],
      ['state/hearing', 'is not a regular file'],
      ['data/token', 'is not a regular file'],
      ['config/config.toml', 'is not a regular file'],
    ]) {
      execFileSync('mkfifo', [join(dir, String(file))]);
      await refused(`${dir}/${file} ${words}`);
      rmSync(join(dir, String(file)));
    }
    // Reading a device might never end.
    for (const file of ['data/token', 'data/orchd.sqlite', 'state/daemon.pid', 'state/hearing', 'config/config.toml']) {
      symlinkSync('/dev/random', join(dir, file));
      await refused(`${dir}/${file} is not a regular file`);
      rmSync(join(dir, file));
    }
    for (const [target, code] of [
      ['config.toml', 'ELOOP'],
      ['elsewhere/config.toml', 'ENOENT'],
    ]) {
      symlinkSync(String(target), join(dir, 'config/config.toml'));
      await refused(`${dir}/config/config.toml cannot be read: ${code}`);
      rmSync(join(dir, 'config/config.toml'));
    }
    rmSync(join(dir, 'data'), { recursive: true });
    writeFileSync(join(dir, 'data'), '');
    await refused(`${dir}/data is not a directory`);
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
