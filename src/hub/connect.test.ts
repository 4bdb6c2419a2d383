import { expect, test } from 'vitest';
import { parseServers, shownUrl } from './connect.js';

test('shownUrl removes the user and the whole password', () => {
  expect(shownUrl('nats://u:p@ss@one:4222,nats://u:p@two')).toBe('nats://one:4222,nats://two');
  expect(shownUrl('tls://hub.example.org')).toBe('tls://hub.example.org');
});

test('parseServers refuses a password with an invalid escape', () => {
  expect(() => parseServers({ url: 'nats://u:%zz@127.0.0.1' })).toThrow(
    expect.objectContaining({ code: 'ORCHD_INVALID' }),
  );
});
