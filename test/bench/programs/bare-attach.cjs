/** The floor of `orchd attach`: asks the daemon for a session's terminal and writes what comes. Nothing is read, checked or typed. */
const { writeSync } = require('node:fs');
const { connect } = require('node:net');

const [socketPath, session] = process.argv.slice(2);
const fields = ['host: x', 'connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13'];
const request = [
  `GET /api/sessions/${session}/terminal?cols=80&rows=23&painted=true HTTP/1.1`,
  ...fields,
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
].join('\r\n');
let head = '';
let isUpgraded = false;
const socket = connect(socketPath, () => socket.write(request));
socket.on('data', (chunk) => {
  if (isUpgraded) {
    writeSync(1, chunk);
    return;
  }
  head += chunk.toString('latin1');
  const end = head.indexOf('\r\n\r\n');
  if (end < 0) return;
  isUpgraded = true;
  writeSync(1, Buffer.from(head.slice(end + 4), 'latin1'));
});
