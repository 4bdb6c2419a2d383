/** Tests that many requests at once do not hold up the others. */
import { Agent } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { askHttp } from '../harness/http.js';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

test('a request is answered while a hundred slow ones of another kind wait', async () => {
  const session = await daemon.sh('seq 5000', '--scrollback', '5000');
  await daemon.event('session_exited', ({ session_id }) => session_id === session.id);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string, how = {}) => askHttp(daemon.paths.socket, 'GET', path, how);
  const captures = 100;
  let captured = 0;
  const capture = async (): Promise<void> => {
    const { status } = await ask(`/api/sessions/${session.id}/screen?ansi=true&scrollback=5000`);
    expect(status).toBe(200);
    captured++;
  };
  await ask('/api/status', { agent });
  const all = Array.from({ length: captures }, capture);
  await all[0];
  expect((await ask('/api/status', { agent })).status).toBe(200);
  expect(captured).toBeLessThan(captures / 2);
  await Promise.all(all);
  agent.destroy();
});
