import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { handleSerially } from './handle-serially.js';

function open() {
  const socket = Object.assign(new EventEmitter(), {
    state: 'read',
    pause: () => {
      socket.state = 'paused';
    },
    resume: () => {
      socket.state = 'read';
    },
  });
  const taken: string[] = [];
  const problems: unknown[] = [];
  let finish: { resolve(): void; reject(cause: unknown): void }[] = [];
  handleSerially(
    socket as never, // handleSerially uses only these members
    (data) =>
      new Promise((resolve, reject) => {
        taken.push(data.toString());
        finish.push({ resolve, reject });
      }),
    (error) => problems.push(error),
  );
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    socket,
    taken,
    problems,
    send: (text: string) => socket.emit('message', Buffer.from(text), true),
    async end(cause?: unknown) {
      const [first] = finish;
      finish = finish.slice(1);
      if (cause === undefined) first?.resolve();
      else first?.reject(cause);
      await turn();
      await turn();
    },
    turn,
  };
}

test('handles a message at once if none is in progress, and keeps reading the socket', async () => {
  const { socket, taken, send, end } = open();
  send('a');
  expect([taken, socket.state]).toEqual([['a'], 'read']);
  await end();
  send('b');
  expect([taken, socket.state]).toEqual([['a', 'b'], 'read']);
});

test('handles further messages in order, and pauses the socket until all are done', async () => {
  const { socket, taken, send, end } = open();
  for (const text of ['a', 'b', 'c']) send(text);
  expect([taken, socket.state]).toEqual([['a'], 'paused']);
  await end();
  expect([taken, socket.state]).toEqual([['a', 'b'], 'paused']);
  await end();
  expect([taken, socket.state]).toEqual([['a', 'b', 'c'], 'paused']);
  await end();
  expect(socket.state).toBe('read');
});

test('reports a message whose handling fails, and handles the next one', async () => {
  const { taken, problems, send, end } = open();
  send('a');
  send('b');
  await end('no');
  expect([taken, problems]).toEqual([['a', 'b'], ['no']]);
});

test('begins each of several messages in a turn of its own', async () => {
  const { taken, send, end, turn } = open();
  for (const text of ['a', 'b', 'c']) send(text);
  const seen: string[][] = [];
  setImmediate(() => seen.push([...taken]));
  await end();
  await turn();
  expect([seen, taken]).toEqual([[['a']], ['a', 'b']]);
});
