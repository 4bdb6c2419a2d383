/** `orchd doctor` reports what a start really does, even if the folder of sessions has an unusual name. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { adapterNamed } from './adapters/index.js';
import { checkAgents } from './check-agents.js';
import { MACHINE } from './machine.js';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-look-'));
  const help = `process.argv[2] === '--version' ? '0.61.0' : '--session-id --include-directories --no-daemon --config'`;
  for (const name of ['gemini', 'codex']) {
    writeFileSync(join(dir, name), `#!${process.execPath}\nconsole.log(${help})\n`, { mode: 0o755 });
  }
});
afterEach(() => rmSync(dir, { recursive: true }));

async function reportOf(name: string, agentsDir: string) {
  const adapter = adapterNamed(name);
  if (!adapter) throw new Error(`no adapter ${name}`);
  const about = { env: { PATH: dir, HOME: dir }, cwd: dir, cacheFile: join(dir, 'flags.json'), agentsDir };
  const [report] = await checkAgents([adapter], about);
  return report;
}

test.runIf(MACHINE.isRootsAlone('/usr/not-there'))(
  'Gemini CLI has the tools if only root can write to the folder, and no variable is in its path',
  async () => {
    expect(await reportOf('gemini', '/usr/not-there/agents')).toMatchObject({
      tools: true,
      addedVariables: ['GEMINI_CLI_SYSTEM_DEFAULTS_PATH', 'GEMINI_CLI'],
    });
    expect(await reportOf('gemini', '/usr/not-there/$HOME/agents')).toMatchObject({ tools: false, addedVariables: [] });
  },
);

test('shows a placeholder for the folder of the session', async () => {
  const report = await reportOf('codex', '/usr/not-there/agents');
  expect(report?.addedArguments).toContain('notify=["sh","<session folder>/notify.sh"]');
});
