/**
 * The floor of orchd's streams: a chain of Node processes, as many as orchd has, in which bytes are passed on as they come, and nothing
 * is kept, framed, heard or checked.
 *
 *     node bare-chain.mjs host            holds programs in ptys     {"listen": SOCKET, "command": [FILE, ARG…]}
 *     node bare-chain.mjs daemon          stands between             {"listen": SOCKET, "connect": SOCKET}
 *     node bare-chain.mjs client SOCKET   sits at its own terminal
 *
 * Host and daemon take such lines on their standard input, one for each session, and answer each with a line when it is there.
 */
import { writeSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { spawn } from 'node-pty';

const SIZE = { cols: 80, rows: 24 };

/** Calls `onBytes` with what any client sends. @returns What sends to all of them. */
function serve(path, onBytes) {
  const clients = new Set();
  createServer((socket) => {
    clients.add(socket);
    socket.on('data', onBytes).on('error', () => {});
    socket.on('close', () => clients.delete(socket));
  }).listen(path, () => console.log('there'));
  return (bytes) => {
    for (const client of clients) client.write(bytes);
  };
}

function hold({ listen, command: [file, ...args] }) {
  const pty = spawn(file, args, { ...SIZE, encoding: null });
  const send = serve(listen, (bytes) => writeSync(pty.fd, bytes));
  pty.onData(send);
}

function relay({ listen, connect: path }) {
  const host = connect(path);
  const send = serve(listen, (bytes) => host.write(bytes));
  host.on('data', send);
}

function sit(path) {
  const daemon = connect(path);
  daemon.on('data', (bytes) => process.stdout.write(bytes));
  process.stdin.setRawMode(true).on('data', (bytes) => daemon.write(bytes));
}

const [role, path] = process.argv.slice(2);
const begin = { host: hold, daemon: relay }[role];
if (!begin) sit(path);
else {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => begin(JSON.parse(line)));
  lines.on('close', () => process.exit());
}
