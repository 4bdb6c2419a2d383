import { expect, test } from 'vitest';
import { openConnection, parseServers, reasonOf, shownUrl } from './connect.js';

test('a full hub is named, with the command that sets its limit', () => {
  expect(reasonOf(new Error('maximum bytes exceeded'))).toBe(
    'the hub is full (maximum bytes exceeded); `orchd hub init URL --max-bytes` sets its limit',
  );
  expect(reasonOf(new Error('timeout'))).toBe('timeout');
});

test('shownUrl removes the user and the whole password', () => {
  expect(shownUrl('nats://u:p@ss@one:4222,nats://u:p@two')).toBe('nats://one:4222,nats://two');
  expect(shownUrl('tls://hub.example.org')).toBe('tls://hub.example.org');
});

test('parseServers refuses a password with an invalid escape', () => {
  expect(() => parseServers({ url: 'nats://u:%zz@127.0.0.1' })).toThrow(
    expect.objectContaining({ code: 'ORCHD_INVALID' }),
  );
});

test('a file of a key that is missing is named, and no server is asked', async () => {
  const address = { url: 'nats://127.0.0.1:1', name: 'one', creds: '/nowhere/hub.key' };
  await expect(openConnection(address)).rejects.toMatchObject({
    code: 'ORCHD_FILE',
    message: expect.stringContaining('/nowhere/hub.key cannot be read: ENOENT'),
  });
});
