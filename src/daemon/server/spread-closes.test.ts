import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { SpreadCloses } from './spread-closes.js';

class Connection extends EventEmitter {
  destroyed = false;
}

/** Connections whose events are collected, and turns of the event loop. */
function open(count: number) {
  const heard: string[] = [];
  const turns: (() => void)[] = [];
  let ms = 0;
  const ends = new SpreadCloses({ now: () => ms++, afterOthers: (next) => void turns.push(next) });
  const connections = Array.from({ length: count }, (_, at) => {
    const connection = new Connection();
    ends.watch(connection);
    for (const name of ['data', 'end', 'close']) connection.on(name, () => void heard.push(`${name} ${at}`));
    return connection;
  });
  return { heard, turns, connections };
}

test('a connection that ends alone is told of at once', () => {
  const { heard, turns, connections } = open(1);
  connections[0]?.emit('end');
  connections[0]?.emit('close');
  expect(heard).toEqual(['end 0', 'close 0']);
  while (turns.length > 0) turns.shift()?.();
  expect(heard).toHaveLength(2);
});

test('thousands that end at once are spread over turns, in order, and other events come first', () => {
  const { heard, turns, connections } = open(1000);
  for (const connection of connections) connection.emit('end');
  expect(heard).toHaveLength(32);
  connections[999]?.emit('data');
  expect(heard.at(-1)).toBe('data 999');
  let most = 0;
  while (turns.length > 0) {
    const before = heard.length;
    turns.shift()?.();
    most = Math.max(most, heard.length - before);
  }
  expect(most).toBeLessThan(10);
  const ends = heard.filter((name) => name.startsWith('end'));
  expect(ends).toEqual(connections.map((_, at) => `end ${at}`));
});

test('a connection that is destroyed while it waits has a close and no end', () => {
  const { heard, turns, connections } = open(40);
  for (const connection of connections) connection.emit('end');
  const last = connections[39];
  if (last) last.destroyed = true;
  last?.emit('close');
  expect(heard).not.toContain('close 39');
  while (turns.length > 0) turns.shift()?.();
  expect(heard.slice(-2)).toEqual(['end 38', 'close 39']);
});
