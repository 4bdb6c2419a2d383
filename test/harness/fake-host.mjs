// A host that speaks only `hello` and `shutdown`, in the contract given as its second argument: `node fake-host.mjs SOCKET CONTRACT`.
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

const [socketPath, contract] = process.argv.slice(2);
const welcome = {
  contract: Number(contract),
  pid: process.pid,
  version: '0.0.1',
  startedAt: 0,
  epoch: 1,
  sessions: [],
};
const server = createServer((socket) => {
  socket.on('error', () => {});
  createInterface({ input: socket }).on('line', (line) => {
    const { id, command } = JSON.parse(line);
    const reply = (fields) => socket.write(`${JSON.stringify({ id, ...fields })}\n`);
    if (command === 'hello') reply({ ok: true, ...welcome });
    else if (command === 'shutdown') {
      reply({ ok: true, killed: 3 });
      socket.end();
      server.close();
    } else {
      const error = `there is no command ${JSON.stringify(command)} in contract ${contract}`;
      reply({ ok: false, problem: { error, code: 'ORCHD_INVALID', message: '' } });
    }
  });
});
server.listen(socketPath, () => process.stdout.write('listening\n'));
