/** Checks that the daemon never asks a host for something that the host cannot do. */
import { tmpdir } from 'node:os';
import { expect, it, vi } from 'vitest';
import { BATCH_CONTRACT, type HostClient } from '../../host/index.js';
import { resolvePaths } from '../../protocol/index.js';
import { GENERIC } from '../../session/index.js';
import { startProgram } from './program-start.js';

const paths = resolvePaths({ env: { ORCHD_HOME: `${tmpdir()}/orchd-none` }, uid: 0, tmpDir: tmpdir(), homeDir: '/' });
const wanted = {
  sessionId: 'ses_1',
  name: 'one',
  parent: null,
  adapter: GENERIC,
  file: '/bin/cat',
  command: ['cat'],
  argv: ['cat'],
  cwd: '/',
  env: {},
  umask: 0o22,
  size: { cols: 80, rows: 24 },
  scrollbackLines: 0,
  key: undefined,
  how: null,
  wish: { isNamed: false, teach: false },
  batch: { stdin: 'x' },
};
function hostOf(contract: number) {
  const call = vi.fn(async () => ({ pid: 1, position: 1, from: 0 }));
  const welcome = { contract, pid: 1, version: '0', startedAt: 0, epoch: 1, sessions: [] };
  const host = { welcome, call, close: () => {} } as unknown as HostClient; // every call gets the reply of `spawn`
  return { call, host };
}

it('refuses to start a program on pipes if the host does not support them, and names the reason', async () => {
  const { call, host } = hostOf(BATCH_CONTRACT - 1);
  const attempt = startProgram({ paths, host, now: Date.now }, wanted);
  await expect(attempt).rejects.toMatchObject({
    code: 'ORCHD_HOST_CONTRACT',
    message: expect.stringContaining('on pipes'),
  });
  expect(call).not.toHaveBeenCalled();
});

it('starts a program on pipes with its input and records the mode in the journal', async () => {
  const { call, host } = hostOf(BATCH_CONTRACT);
  const { note } = await startProgram({ paths, host, now: Date.now }, wanted);
  expect(note).toMatchObject({ mode: 'batch', agent: null });
  expect(call).toHaveBeenCalledWith('spawn', expect.objectContaining({ mode: 'batch', stdin: 'x', argv: ['cat'] }));
});

it.each([
  ['/state/agents/ses_1/orchd-defaults.json', true], // of the session itself
  ['/state/agents/ses_0/orchd-defaults.json', false], // of the agent that started the session
  ['/opt/site/gemini.json', true], // of the user
])('does not pass on a defaults file that holds the token of another session: %s', async (file, isKept) => {
  const { call, host } = hostOf(BATCH_CONTRACT);
  await startProgram({ paths, host, now: Date.now }, { ...wanted, env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file } });
  const env = expect.objectContaining({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file });
  expect(call).toHaveBeenCalledWith(
    'spawn',
    expect.objectContaining({
      env: isKept ? env : expect.not.objectContaining({ GEMINI_CLI_SYSTEM_DEFAULTS_PATH: file }),
    }),
  );
});
