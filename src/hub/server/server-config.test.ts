import { createUser } from '@nats-io/nkeys';
import { expect, test } from 'vitest';
import { type HubUser, publishSubjects, serverConfig } from './server-config.js';

const key = (): string => createUser().getPublicKey();
const config = (users: readonly HubUser[]): string =>
  serverConfig({ users, listen: '127.0.0.1:4222', storeDir: '/s', maxStoreBytes: 1, maxMessageBytes: 2 });

test('a machine may publish only below its own name', () => {
  const own = publishSubjects(['machine'], 'one').filter((subject) => !subject.startsWith('$JS.API.STREAM.INFO.'));
  expect(own.filter((subject) => !/[.](one)([.]|$)/.test(subject))).toEqual([]);
  // A viewer publishes nothing but commands and what it types, in its own name.
  const ofViewer = publishSubjects(['viewer'], 'one').filter((subject) => !subject.startsWith('$JS.'));
  expect(ofViewer).toEqual(['orchd.*.mail.command.one.*', 'orchd.one.work.*.*', 'orchd.*.terminal.one.*']);
});

test('a key with several roles becomes one user', () => {
  const one = key();
  const text = config([
    { role: 'machine', name: 'one', key: one },
    { role: 'viewer', name: 'one', key: one },
  ]);
  expect(text.split(one)).toHaveLength(2);
  expect(text).toContain('# one: machine, viewer');
  expect(text).toContain('subscribe { allow: ["_INBOX_one.>", "orchd.one.terminal.*.*"] }');
});

test('invalid or conflicting keys and names are refused with the reason', () => {
  const one = key();
  const user = (name: string, given: string): HubUser => ({ role: 'machine', name, key: given });
  expect(() => config([user('one', 'nonsense')])).toThrow(/not a public key/);
  expect(() => config([user('a.b', one)])).toThrow(/cannot be the name/);
  expect(() => config([user('all', one)])).toThrow(/cannot be the name/);
  expect(() => config([user('one', one), user('two', one)])).toThrow(/one key is given the names/);
  expect(() => config([user('one', one), user('one', key())])).toThrow(/two keys are given the name/);
});
