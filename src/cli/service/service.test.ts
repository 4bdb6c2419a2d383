/** Tests the files for systemd and launchd, and the calls of their tools. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createLaunchd, LABEL } from './launchd.js';
import type { RunTool, ServiceSpec } from './manager.js';
import { createSystemd } from './systemd.js';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});
function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'orchd-service-'));
  folders.push(dir);
  return dir;
}

const SPEC: ServiceSpec = {
  node: '/opt/my node/bin/node',
  args: ['--max-semi-space-size=8', '/opt/100%/$HOME/"orchd"/dist/daemon.js'],
  env: { ORCHD_HOME: '/home/user/or chd%h\\x', PATH: '/usr/bin:/home/user/$a;b' },
};
const nothing: RunTool = async () => ({ code: 0, stdout: '', stderr: '' });

/** Fake tools that record their calls and return the given output. */
function fakeTools(answers: Record<string, string> = {}, codes: Record<string, number> = {}) {
  const asked: string[] = [];
  const run: RunTool = async (tool, args) => {
    const line = [tool, ...args].join(' ');
    asked.push(line);
    const key = Object.keys({ ...answers, ...codes }).find((words) => line.includes(words)) ?? '';
    return { code: codes[key] ?? 0, stdout: answers[key] ?? '', stderr: codes[key] ? 'no bus' : '' };
  };
  return { asked, run };
}

describe('the systemd unit', () => {
  const unit = createSystemd(nothing, '/home/user/.config').text(SPEC);

  test('starts the program with any characters in its path, and ends only the daemon', () => {
    expect(unit).toContain(
      'ExecStart="/opt/my node/bin/node" "--max-semi-space-size=8" "/opt/100%%/$$HOME/\\"orchd\\"/dist/daemon.js"\n',
    );
    expect(unit).toContain('Environment="ORCHD_HOME=/home/user/or chd%%h\\\\x"\n');
    expect(unit).toContain('Environment="PATH=/usr/bin:/home/user/$a;b"\n');
    for (const line of [
      'KillMode=process',
      'Delegate=yes',
      'OOMPolicy=continue',
      'Restart=on-failure',
      'WantedBy=default.target',
    ])
      expect(unit.split('\n')).toContain(line);
  });

  test('passes systemd-analyze verify', ({ skip }) => {
    if (spawnSync('systemd-analyze', ['--version']).error) skip('systemd-analyze is not installed');
    const file = join(folder(), 'orchd.service');
    const spec = { ...SPEC, node: process.execPath, args: ['--version'] };
    writeFileSync(file, createSystemd(nothing, '/').text(spec));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', file], {
      encoding: 'utf8',
      env: { ...process.env, XDG_RUNTIME_DIR: dirname(file) },
    });
    if (/Failed to (initialize|allocate) manager/i.test(stderr)) skip(`systemd-analyze cannot run here: ${stderr}`);
    expect(stderr.split('\n').filter((line) => line.includes('orchd.service'))).toEqual([]);
    expect(status).toBe(0);
  });

  test('rejects values with control characters, which could add lines', () => {
    const evil = { ...SPEC, env: { PATH: '/bin\nExecStartPre=/bin/evil' } };
    for (const manager of [createSystemd(nothing, '/'), createLaunchd(nothing, '/', 501)])
      expect(() => manager.text(evil)).toThrow(/control characters/);
  });

  test('is enabled and disabled by systemctl, and its state is read', async () => {
    const { asked, run } = fakeTools({
      show: 'UnitFileState=enabled\nActiveState=active\nMainPID=42\n',
      linger: 'Linger=yes',
    });
    const systemd = createSystemd(run, '/home/user/.config');
    expect(systemd.file).toBe('/home/user/.config/systemd/user/orchd.service');
    await systemd.enable();
    const commands = ['daemon-reload', 'enable orchd.service', 'restart orchd.service'];
    expect(asked).toEqual(commands.map((words) => `systemctl --user ${words}`));
    expect(await systemd.state()).toEqual({ isEnabled: true, isRunning: true, pid: 42 });
    await systemd.disable();
    expect(asked.at(-1)).toBe('systemctl --user disable --now orchd.service');
  });

  test('recommends lingering unless it is enabled', async () => {
    const off = createSystemd(fakeTools({ loginctl: 'Linger=no\n' }).run, '/');
    expect((await off.advice()).join()).toContain('loginctl enable-linger');
    expect(await createSystemd(fakeTools({ loginctl: 'Linger=yes\n' }).run, '/').advice()).toEqual([]);
  });

  test('reports the error of systemctl', async () => {
    const systemd = createSystemd(fakeTools({}, { 'daemon-reload': 1 }).run, '/');
    await expect(systemd.enable()).rejects.toMatchObject({
      code: 'ORCHD_SERVICE',
      message: expect.stringContaining('no bus'),
    });
  });
});

describe('the launchd agent', () => {
  test('contains the program and its environment, and leaves the host running', () => {
    const text = createLaunchd(nothing, '/Users/me', 501).text({ ...SPEC, env: { PATH: '/bin:<a>&b' } });
    const strings = [...text.matchAll(/<string>(.*)<\/string>/g)].map(([, inner]) => inner);
    expect(strings).toContain('/opt/my node/bin/node');
    expect(strings).toContain('/opt/100%/$HOME/"orchd"/dist/daemon.js');
    expect(strings).toContain('/bin:&lt;a&gt;&amp;b');
    expect(text).toMatch(/<key>AbandonProcessGroup<\/key>\s*<true\/>/);
    expect(text).toMatch(/<key>SuccessfulExit<\/key>\s*<false\/>/);
  });

  test('is valid XML for a property list parser', ({ skip }) => {
    const file = join(folder(), 'agent.plist');
    writeFileSync(file, createLaunchd(nothing, '/Users/me', 501).text(SPEC));
    const read = 'import plistlib,sys,json; print(json.dumps(plistlib.load(open(sys.argv[1],"rb"))))';
    const { error, status, stdout, stderr } = spawnSync('python3', ['-c', read, file], { encoding: 'utf8' });
    if (error) skip('python3 is not installed');
    expect(status, stderr).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ Label: LABEL, EnvironmentVariables: SPEC.env, RunAtLoad: true });
    expect(found.ProgramArguments).toEqual([SPEC.node, ...SPEC.args]);
  });

  test('replaces an older agent, and reads its process from launchctl', async () => {
    const { asked, run } = fakeTools(
      { print: 'dev.orchd.daemon = {\n\tstate = running\n\tpid = 77\n}\n' },
      { bootout: 3 },
    );
    const launchd = createLaunchd(run, '/Users/me', 501);
    await launchd.enable();
    expect(asked).toEqual([
      `launchctl bootout gui/501/${LABEL}`,
      `launchctl enable gui/501/${LABEL}`,
      `launchctl bootstrap gui/501 /Users/me/Library/LaunchAgents/${LABEL}.plist`,
    ]);
    expect(await launchd.state()).toEqual({ isEnabled: true, isRunning: true, pid: 77 });
  });
});
