import { expect, test } from 'vitest';
import { parseConfig } from '../config-file.js';
import { configFromEnvironment, OPTIONS } from './config.js';
import { settingsOf } from './settings.js';

test('lists each option with its value and the last source that sets it', () => {
  const file = parseConfig('/home/me/config.toml', '[daemon]\nport = 9000\n\n[sessions]\ncols = 100\n');
  const settings = settingsOf([file, configFromEnvironment({ ORCHD_SESSIONS_COLS: '90' })]);
  const of = (name: string) => settings.find((one) => one.name === name);
  expect(of('daemon.port')).toMatchObject({ value: 9000, default: 8765, origin: '/home/me/config.toml', line: 2 });
  expect(of('sessions.cols')).toMatchObject({ value: 90, origin: 'environment', line: null });
  expect(of('sessions.rows')).toMatchObject({ value: 40, default: 40, origin: 'default', line: null });
  const names = Object.entries(OPTIONS).flatMap(([section, all]) =>
    Object.keys(all).map((name) => `${section}.${name}`),
  );
  expect(settings.map(({ name }) => name)).toEqual(names);
});

test('hides the value of an option that may hold a token', () => {
  const file = parseConfig('f', '[notify]\ncommand = "curl -H token:sesame"\n');
  const settings = settingsOf([file]);
  expect(settings.find(({ name }) => name === 'notify.command')).toMatchObject({ value: null, secret: true, line: 2 });
  expect(JSON.stringify(settings)).not.toContain('sesame');
});
