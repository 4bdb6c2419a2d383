import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationName, OrchdError, type WebDevice, type WebRole } from '../../protocol/index.js';
import { CODE_MS, DEVICE_MS, Devices, permitDevice } from './devices.js';

let folder: string;
let file: string;
let now: number;
let logged: string[];
const open = (): Devices =>
  new Devices({ file, now: () => now, log: { info: (message) => void logged.push(message) } });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-devices-'));
  file = join(folder, 'web-devices.json');
  now = Date.parse('2026-01-01T00:00:00Z');
  logged = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const codeOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof OrchdError) return error.code;
  }
  return 'no error';
};

describe('a code', () => {
  test('works once', () => {
    const devices = open();
    const { code } = devices.invite('read', 'phone');
    const { token, device } = devices.enter(code);
    expect(device).toMatchObject({ role: 'read', name: 'phone' });
    expect(devices.byToken(token)).toMatchObject({ id: device.id });
    expect(codeOf(() => devices.enter(code))).toBe('ORCHD_WEB_CODE');
  });

  test('expires after CODE_MS', () => {
    const devices = open();
    const [early, late] = [devices.invite('all', ''), devices.invite('all', '')];
    now += CODE_MS - 1;
    expect(codeOf(() => devices.enter(early.code))).toBe('no error');
    now += 1;
    expect(codeOf(() => devices.enter(late.code))).toBe('ORCHD_WEB_CODE');
  });

  test('is not accepted as a token, nor are a token or other texts accepted as a code', () => {
    const devices = open();
    const { code } = devices.invite('all', '');
    expect(devices.byToken(code)).toBeUndefined();
    const { token } = devices.enter(code);
    for (const other of [token, '', 'x'.repeat(1000), '__proto__'])
      expect(
        codeOf(() => devices.enter(other)),
        other,
      ).toBe('ORCHD_WEB_CODE');
  });

  test('is dropped when many newer codes exist', () => {
    const devices = open();
    const codes = Array.from({ length: 150 }, () => devices.invite('read', '').code);
    expect(codeOf(() => devices.enter(codes[0] ?? ''))).toBe('ORCHD_WEB_CODE');
    expect(codeOf(() => devices.enter(codes[149] ?? ''))).toBe('no error');
  });
});

describe('devices', () => {
  test('survive a restart in a private file that contains no token or code', () => {
    const first = open();
    const { code } = first.invite('answer', '');
    const { token, device } = first.enter(code);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toMatch(new RegExp(`${token}|${code}`));
    expect(open().byToken(token)).toEqual(device);
    expect(codeOf(() => open().enter(first.invite('all', '').code))).toBe('ORCHD_WEB_CODE');
  });

  test('expire after DEVICE_MS', () => {
    const devices = open();
    const { token } = devices.enter(devices.invite('all', '').code);
    now += DEVICE_MS;
    expect(devices.byToken(token)).toBeUndefined();
    expect(devices.list()).toEqual([]);
  });

  test('lose access and connections when they are revoked, also after a restart', () => {
    const devices = open();
    const { token, device } = devices.enter(devices.invite('all', '').code);
    const other = devices.enter(devices.invite('all', '').code);
    const ended: string[] = [];
    devices.whileValid(device, () => void ended.push('first'));
    const cancel = devices.whileValid(device, () => void ended.push('cancelled'));
    devices.whileValid(other.device, () => void ended.push('other'));
    cancel();
    devices.revoke(device.id);
    expect(ended).toEqual(['first']);
    expect(devices.byToken(token)).toBeUndefined();
    expect(
      open()
        .list()
        .map(({ id }) => id),
    ).toEqual([other.device.id]);
    expect(codeOf(() => devices.revoke(device.id))).toBe('ORCHD_WEB_DEVICE');
    devices.whileValid(device, () => void ended.push('too late'));
    expect(ended).toEqual(['first', 'too late']);
  });

  test('show when they were last used, to the minute', () => {
    const devices = open();
    const { token } = devices.enter(devices.invite('all', '').code);
    now += 59_000;
    expect(devices.byToken(token)?.last_seen_at).toBe('2026-01-01T00:00:00.000Z');
    now += 2_000;
    expect(devices.byToken(token)?.last_seen_at).toBe('2026-01-01T00:01:01.000Z');
  });

  test.each(['', '{', '[]', '{"devices":[{}]}', '{"devices":[null]}', '{"devices":1}'])(
    'are none if the file is damaged, which the daemon logs: %s',
    (text) => {
      writeFileSync(file, text);
      expect(open().list()).toEqual([]);
      expect(logged).toHaveLength(1);
    },
  );

  test('are none without a file, and no file is created', () => {
    expect(open().list()).toEqual([]);
    expect([logged, existsSync(file)]).toEqual([[], false]);
  });
});

describe('roles', () => {
  const device = (role: WebRole): WebDevice => ({
    id: 'dev_1',
    name: '',
    role,
    created_at: '',
    last_seen_at: '',
    expires_at: '',
  });
  const may = (role: WebRole, name: OperationName, input = {}): boolean =>
    codeOf(() => permitDevice(device(role), OPERATIONS[name], input)) === 'no error';

  test('allow a reader only presence, validation and sign-in of the operations that change something', () => {
    const names = Object.keys(OPERATIONS) as OperationName[];
    const changing = names.filter((name) => OPERATIONS[name].method !== 'GET');
    const allowed = (role: WebRole) => changing.filter((name) => may(role, name)).sort();
    const reader = ['blueprint.validate', 'presence.tell', 'web.enter'];
    expect(allowed('read')).toEqual(reader);
    expect(allowed('answer')).toEqual([...reader, 'hub.call', 'inbox.answer', 'inbox.take_back', 'task.answer'].sort());
    const fromTerminals = ['hub.enroll', 'hub.join', 'hub.leave', 'hub.unenroll', 'web.link', 'web.listen'];
    expect(allowed('all')).toEqual(changing.filter((name) => !fromTerminals.includes(name)).sort());
    const hidden = names.filter((name) => OPERATIONS[name].method === 'GET' && !may('read', name));
    expect(hidden.sort()).toEqual(['daemon.agents', 'project.find', 'web.list', 'workflow.files']);
  });

  test('let no browser make links, but let each browser sign itself out', () => {
    for (const role of ['read', 'answer', 'all'] as const) {
      expect(may(role, 'web.link'), role).toBe(false);
      expect(may(role, 'web.revoke', { device: 'dev_1' }), role).toBe(true);
      expect(may(role, 'web.revoke', { device: 'dev_2' }), role).toBe(role === 'all');
    }
  });
});
