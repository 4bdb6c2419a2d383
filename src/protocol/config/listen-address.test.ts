import { expect, test } from 'vitest';
import { isLoopback, parseListen, parseProxy } from './listen-address.js';

test.each([
  ['0.0.0.0:8443', { host: '0.0.0.0', port: 8443 }],
  ['[::]:0', { host: '::', port: 0 }],
  ['localhost:1', { host: 'localhost', port: 1 }],
  ['0.0.0.0', null],
  ['example.org:80', null],
  ['1.2.3.4:70000', null],
  ['::1:80', null],
])('the address %s', (text, parsed) => expect(parseListen(text)).toEqual(parsed));

test('loopback addresses', () => {
  expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost'].every(isLoopback)).toBe(true);
  expect(['0.0.0.0', '::', '128.0.0.1', '10.127.0.1'].some(isLoopback)).toBe(false);
});

test.each([
  ['https://orchd.example.org', 'orchd.example.org'],
  ['https://Orchd.Example.org:443/', 'orchd.example.org'],
  ['https://[fd00::1]:8443', '[fd00::1]:8443'],
  ['http://orchd.example.org', null],
  ['https://orchd.example.org/path', null],
  ['https://user@orchd.example.org', null],
  ['https://a b', null],
  ['orchd.example.org', null],
])('the proxy %s', (text, host) => expect(parseProxy(text)).toBe(host));
