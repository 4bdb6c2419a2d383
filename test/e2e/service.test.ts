/**
 * Tests `orchd service` with a fake systemctl on the PATH. It starts and ends the daemon from the unit file like
 * systemd with `KillMode=process`, so the test covers the unit file itself.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gone, startDaemon, type TestDaemon } from '../harness/daemon.js';

const onLinux = process.platform === 'linux';

/** A fake `systemctl`. It appends its arguments to the file `asked`, and reads the daemon's pid from `pid`. */
const SYSTEMCTL = `#!${process.execPath}
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const { join } = require('node:path');
const dir = __dirname, [, verb, ...rest] = process.argv.slice(2);
fs.appendFileSync(join(dir, 'asked'), [verb, ...rest].join(' ') + '\\n');
const pidFile = join(dir, 'pid');
const pid = () => { try { const pid = Number(fs.readFileSync(pidFile)); process.kill(pid, 0); return pid; } catch { return 0; } };
const end = async () => { const old = pid(); if (old) process.kill(old, 'SIGTERM'); while (pid()) await new Promise((resolve) => setTimeout(resolve, 10)); };
const begin = () => {
  const unit = fs.readFileSync(join(process.env.XDG_CONFIG_HOME, 'systemd/user/orchd.service'), 'utf8');
  const word = (text) => text.replaceAll('%%', '%').replaceAll('$$', '$');
  const [program, ...args] = /^ExecStart=(.*)$/m.exec(unit)[1].match(/"[^"]*"/g).map((text) => word(JSON.parse(text)));
  const env = Object.fromEntries([...unit.matchAll(/^Environment=(.*)$/gm)].map(([, text]) => { const [, name, value] = /^([^=]*)=(.*)$/.exec(word(JSON.parse(text))); return [name, value]; }));
  const child = spawn(program, args, { env: { HOME: process.env.HOME, ...env }, detached: true, stdio: 'ignore' });
  fs.writeFileSync(pidFile, String(child.pid));
  child.unref();
};
(async () => {
  if (verb === 'restart') { await end(); begin(); }
  if (verb === 'disable') await end();
  if (verb === 'show') console.log('UnitFileState=enabled\\nActiveState=' + (pid() ? 'active' : 'inactive') + '\\nMainPID=' + pid());
})();
`;

let daemon: TestDaemon;
let bin: string;
let env: Record<string, string>;
beforeAll(async () => {
  bin = mkdtempSync(join(tmpdir(), 'orchd-bin-'));
  for (const [name, text] of [
    ['systemctl', SYSTEMCTL],
    ['loginctl', '#!/bin/sh\necho Linger=no\n'],
  ] as const) {
    writeFileSync(join(bin, name), text);
    chmodSync(join(bin, name), 0o755);
  }
  mkdirSync(join(bin, 'config'));
  env = { PATH: `${bin}:${process.env['PATH']}`, XDG_CONFIG_HOME: join(bin, 'config'), ORCHD_DAEMON_TCP: 'false' };
  daemon = await startDaemon({ env });
});
afterAll(async () => {
  await daemon.close();
  rmSync(bin, { recursive: true });
});

const unitFile = () => join(bin, 'config/systemd/user/orchd.service');
const servicePid = () => Number(readFileSync(join(bin, 'pid'), 'utf8'));
describe.runIf(onLinux)('orchd service', () => {
  test('install --print prints a unit with absolute paths and changes nothing', async () => {
    const { code, stdout } = await daemon.orchd('service', 'install', '--print');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `ExecStart="${process.execPath}" "--max-semi-space-size=8" "--heap-growing-percent=40" "/`,
    );
    expect(stdout).toContain(`Environment="ORCHD_HOME=${daemon.env['ORCHD_HOME']}"`);
    expect(existsSync(unitFile())).toBe(false);
    expect(existsSync(join(bin, 'asked'))).toBe(false);
  });

  test('install replaces the running daemon and keeps its sessions, and so does a restart', async () => {
    const session = await daemon.sh('while read -r line; do echo "heard $line"; done', '--name', 'stays');
    const { daemon: before } = await daemon.client.call('daemon.status', {});
    const installed = await daemon.json<{ replaced: number; advice: string[] }>('service', 'install');
    expect(installed.replaced).toBe(before.pid);
    expect(installed.advice.join()).toContain('enable-linger');
    await gone(before.pid);
    const report = await daemon.json<{ pid: number }>('service', 'status');
    expect(report).toMatchObject({
      installed: true,
      current: true,
      enabled: true,
      running: true,
      pid: servicePid(),
      daemon: servicePid(),
    });
    const { stdout } = await daemon.orchd('restart');
    expect(stdout).toBe(`daemon replaced by systemd (was ${report.pid}): pid ${servicePid()}\n`);
    expect((await daemon.orchd('restart', '--no-tcp')).code).toBe(2);
    expect(readFileSync(join(bin, 'asked'), 'utf8')).toMatch(/^restart orchd.service$/m);
    await daemon.client.call('session.send', { session: session.id, text: 'again' });
    for (;;) {
      const { text } = await daemon.client.call('session.capture', { session: session.id });
      if (text.includes('heard again')) break;
    }
    expect((await daemon.client.call('session.show', { session: 'stays' })).pid).toBe(session.pid);
  });

  test('status says if the unit file differs from the current version', async () => {
    writeFileSync(unitFile(), `${readFileSync(unitFile(), 'utf8')}# mine\n`);
    const { stdout } = await daemon.orchd('service', 'status');
    expect(stdout).toContain('not what would be written now');
    expect(stdout).toMatch(/^running {4}by systemd, pid \d+$/m);
  });

  test('uninstall ends the daemon and keeps the sessions', async () => {
    const pid = servicePid();
    expect((await daemon.orchd('service', 'uninstall')).stdout).toContain('every session goes on');
    await gone(pid);
    expect(existsSync(unitFile())).toBe(false);
    expect((await daemon.orchd('service', 'uninstall')).stdout).toBe('no service is installed\n');
    expect((await daemon.orchd('start', '--detach', '--no-tcp')).code).toBe(0);
    expect((await daemon.client.call('session.show', { session: 'stays' })).ended_at).toBeNull();
  });

  test('install without systemd fails, changes nothing and suggests --print', async () => {
    const script = 'PATH=/nowhere "$1" "$2" service install';
    const { execFile } = await import('node:child_process');
    const { code, stderr } = await new Promise<{ code: number; stderr: string }>((resolve) => {
      const cli = join(import.meta.dirname, '../../bin/orchd.js');
      execFile('/bin/sh', ['-c', script, 'sh', process.execPath, cli], { env: daemon.env }, (error, _out, said) =>
        resolve({ code: Number(error?.code ?? 0), stderr: said }),
      );
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/there is no systemctl[\s\S]*service install --print/);
    expect(existsSync(unitFile())).toBe(false);
    expect((await daemon.orchd('service', 'enable')).code).toBe(2);
  });
});
