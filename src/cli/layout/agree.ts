/** Asks the person before commands of a layout run for the first time, or after they were changed. */
import { displayLine, OrchdError, shellWord } from '../../protocol/index.js';
import { type Layout, type LayoutSession, layoutTrust } from '../../tui/index.js';
import { isYes } from '../input/ask-yes.js';
import type { Context } from '../program/context.js';

/**
 * Returns when the person has agreed to these sessions.
 * @param isTrusted True for `--trust`: the person agrees in advance.
 * @throws {OrchdError} ORCHD_UNTRUSTED if the person does not agree, or cannot be asked.
 */
export async function agreeTo(
  context: Context,
  layout: Layout,
  entries: readonly LayoutSession[],
  isTrusted: boolean,
): Promise<void> {
  const trust = layoutTrust(context.paths.stateDir);
  const open = trust.untrusted(layout.file, entries);
  if (open.length === 0) return;
  const list = open.map((entry) => `  ${commandWords(entry, layout)}`).join('\n');
  if (!isTrusted) {
    const isTerminal = process.stdin.isTTY === true && process.stderr.isTTY === true;
    const words = `${layout.file} starts commands that you have not agreed to:\n${list}`;
    if (!isTerminal || context.isJson) throw new OrchdError('ORCHD_UNTRUSTED', words);
    process.stderr.write(`${words}\n`);
    if (!(await isYes('Start them? [y/N] ', context.signal))) {
      throw new OrchdError('ORCHD_UNTRUSTED', 'nothing was started');
    }
  }
  trust.trust(layout.file, open, layout.sessions);
}

/** Returns `api: npm run dev (in server, PORT=8080)`. */
export function commandWords({ name, command, cwd, env, isTaught }: LayoutSession, { project }: Layout): string {
  const inside = cwd === project ? '' : `in ${cwd.startsWith(`${project}/`) ? cwd.slice(project.length + 1) : cwd}`;
  const variables = Object.entries(env).map(([variable, value]) => `${variable}=${shellWord(value)}`);
  const more = [inside, ...variables, isTaught ? 'with the instructions of orchd' : ''].filter(Boolean).join(', ');
  return displayLine(`${name}: ${command.map(shellWord).join(' ')}${more && ` (${more})`}`);
}
