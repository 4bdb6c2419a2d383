/** The floor of `orchd ls`: asks the daemon at the socket, prints what it says, and ends. Nothing is read, checked or laid out. */
const { writeSync } = require('node:fs');
const { connect } = require('node:net');

let text = '';
const socket = connect(process.argv[2], () =>
  socket.write('GET /api/sessions HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'),
);
socket.on('data', (chunk) => {
  text += chunk.toString('latin1');
  if (!text.endsWith(']')) return;
  writeSync(1, `${text.slice(text.indexOf('\r\n\r\n') + 4)}\n`);
  process.exit(0);
});
