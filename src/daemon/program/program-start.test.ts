/** Checks that the daemon never asks a host for something that the host cannot do. */
import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { BATCH_CONTRACT, type HostClient } from '../../host/index.js';
import { resolvePaths } from '../../protocol/index.js';
import { GENERIC } from '../../session/index.js';
import { startProgram } from './program-start.js';

const paths = resolvePaths({ env: { ORCHD_HOME: `${tmpdir()}/orchd-none` }, uid: 0, tmpDir: tmpdir(), homeDir: '/' });
const wanted = {
  ...{
    sessionId: 'ses_1',
    name: 'one',
    parent: null,
    adapter: GENERIC,
    file: '/bin/cat',
    command: ['cat'],
    argv: ['cat'],
  },
  ...{ cwd: '/', env: {}, umask: 0o22, size: { cols: 80, rows: 24 }, scrollbackLines: 0, key: undefined, how: null },
  ...{ wish: { isNamed: false, teach: false }, batch: { stdin: 'x' } },
};
function hostOf(contract: number) {
  const call = vi.fn(async () => ({ pid: 1, position: 1, from: 0 }));
  const welcome = { contract, pid: 1, version: '0', startedAt: 0, epoch: 1, sessions: [] };
  const host = { welcome, call, close: () => {} } as unknown as HostClient; // its replies are those of `spawn`
  return { call, host: () => host };
}

it('a host that knows no pipes is not asked for them, and it is said which one', async () => {
  const { call, host } = hostOf(BATCH_CONTRACT - 1);
  const attempt = startProgram(paths, host, wanted);
  await expect(attempt).rejects.toMatchObject({
    code: 'ORCHD_HOST_CONTRACT',
    message: expect.stringContaining('on pipes'),
  });
  expect(call).not.toHaveBeenCalled();
});

it('a program on pipes is started as it was given, with its input, and its journal says so', async () => {
  const { call, host } = hostOf(BATCH_CONTRACT);
  const { note } = await startProgram(paths, host, wanted);
  expect(note).toMatchObject({ mode: 'batch', agent: null });
  expect(call).toHaveBeenCalledWith('spawn', expect.objectContaining({ mode: 'batch', stdin: 'x', argv: ['cat'] }));
});

it.each([
  ['/state/agents/ses_1/orchd-defaults.json', true], // its own
  ['/state/agents/ses_0/orchd-defaults.json', false], // of the agent in whose shell it was started
  ['/opt/site/gemini.json', true], // the person's
])('a file of defaults that holds another session’s token is not handed on: %s', async (file, isKept) => {
  const { call, host } = hostOf(BATCH_CONTRACT);
  await startProgram(paths, host, { ...wanted, env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file } });
  const env = expect.objectContaining({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file });
  expect(call).toHaveBeenCalledWith(
    'spawn',
    expect.objectContaining({
      env: isKept ? env : expect.not.objectContaining({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file }),
    }),
  );
});
