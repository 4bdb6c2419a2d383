/** Tests how the host is started: in a scope of systemd's user manager (with a fake `systemd-run`), again, or not. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLog } from '../../src/daemon/log.js';
import { hostCommands } from '../../src/daemon/startup/host-command.js';
import { linkHost } from '../../src/daemon/startup/host-link.js';
import { resolvePaths } from '../../src/protocol/index.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'orchd-scope-'));
  mkdirSync(join(home, 'state'));
  mkdirSync(join(home, 'run/systemd'), { recursive: true });
  mkdirSync(join(home, 'linger'));
  writeFileSync(join(home, 'run/systemd/private'), '');
  writeFileSync(join(home, 'linger/ann'), '');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const plain = { file: 'node', args: ['host.js'] };
const around = (change: object = {}) => ({
  env: { XDG_RUNTIME_DIR: join(home, 'run') },
  username: 'ann',
  cgroup: 'denied' as const,
  lingerDir: join(home, 'linger'),
  ...change,
});

describe('hostCommands', () => {
  test('tries systemd-run first if orchd cannot write to its cgroup and the user lingers', () => {
    const [first, second] = hostCommands(plain, around());
    expect(first).toMatchObject({ file: 'systemd-run' });
    expect(first?.args.slice(0, 2)).toEqual(['--user', '--scope']);
    expect(first?.args).toContain('--property=Delegate=yes');
    expect(first?.args.slice(-3)).toEqual(['--', 'node', 'host.js']);
    expect(second).toEqual(plain);
  });

  test.each([
    ['orchd can write to its cgroup', { cgroup: 'writable' }],
    ['there is no cgroup v2', { cgroup: 'none' }],
    ['the user does not linger', { username: 'bob' }],
    ['no user manager runs', { env: { XDG_RUNTIME_DIR: '/nowhere' } }],
    ['XDG_RUNTIME_DIR is not set', { env: {} }],
  ])('starts the host directly if %s', (_why, change) => {
    expect(hostCommands(plain, around(change))).toEqual([plain]);
  });
});

describe('linkHost', () => {
  const script = (text: string) => {
    const file = join(home, 'systemd-run');
    writeFileSync(file, `#!/bin/sh\necho "$1" >> ${home}/asked\n${text}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  async function link(first: string, isOnly = false): Promise<{ asked: string; commandLine: string }> {
    const env = { ORCHD_HOME: home };
    const paths = resolvePaths({ env, uid: 0, tmpDir: tmpdir(), homeDir: home });
    const main = join(import.meta.dirname, '../../dist/host.js');
    const args = [main, '--socket', paths.hostSocket, '--journals', paths.journalsDir];
    const host = { file: process.execPath, args };
    const client = await linkHost({
      paths,
      hostFile: main,
      log: openLog(paths.logFile, 'daemon'),
      onNotice: () => {},
      onClose: () => {},
      commands: [{ file: first, args: ['--scope', '--', host.file, ...args] }, ...(isOnly ? [] : [host])],
    });
    const commandLine = readFileSync(`/proc/${client.welcome.pid}/cmdline`, 'utf8').split('\0')[0] ?? '';
    await client.call('shutdown', { graceMs: 0 });
    client.close();
    return { asked: readFileSync(join(home, 'asked'), 'utf8').trim(), commandLine };
  }

  test('starts the host in a systemd scope', async () => {
    expect(await link(script('shift 2; exec "$@"'))).toEqual({ asked: '--scope', commandLine: process.execPath });
  });

  test('starts the host without a scope if systemd refuses', async () => {
    const { asked, commandLine } = await link(script('exit 1'));
    expect([asked, commandLine]).toEqual(['--scope', process.execPath]);
  });

  test('starts the host without a scope if systemd does not answer', async () => {
    const { asked, commandLine } = await link(script('exec sleep 1000'));
    expect([asked, commandLine]).toEqual(['--scope', process.execPath]);
  });

  test('starts the host again if something ends it as it starts', async () => {
    const { asked } = await link(
      script(`[ "$(grep -c . ${home}/asked)" = 1 ] && kill -9 $$\nshift 2; exec "$@"`),
      true,
    );
    expect(asked).toBe('--scope\n--scope');
  });

  test('says how the host ended and what it wrote last', async () => {
    const failed = link(script('echo first >&2; echo no room >&2; exit 3'), true);
    await expect(failed).rejects.toThrow('the host did not start: it ended with code 3; its last line is `no room`');
  });
});
