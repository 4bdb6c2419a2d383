/** `orchd workflow fmt`: formats Agentfiles in the standard style, to standard output or in place. */
import { chmodSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { displayLine, EXIT, errorMessage, OrchdError } from '../../protocol/index.js';
import { format } from '../../workflow/index.js';
import { flag, type Options } from '../program/command.js';
import type { Context } from '../program/context.js';
import { requireValid } from './check.js';
import { readAgentfile } from './read-agentfile.js';

export async function formatFiles(
  context: Context,
  given: readonly string[],
  options: Options,
): Promise<number | undefined> {
  const [writes, checks] = [flag(options, 'write'), flag(options, 'check')];
  if (writes && checks) throw new OrchdError('ORCHD_USAGE', '--check changes nothing: leave --write out');
  if (writes && given.includes('-')) throw new OrchdError('ORCHD_USAGE', 'standard input cannot be written to');
  if (!writes && !checks && given.length > 1)
    throw new OrchdError('ORCHD_USAGE', 'give one file, or --write, or --check');
  const files: { readonly file: string; readonly changed: boolean; readonly text: string }[] = [];
  for (const one of given) {
    const { file, text } = await readAgentfile(one, context.cwd);
    const formatting = format(text);
    if (!formatting.ok) requireValid({ file }, formatting.problems);
    else files.push({ file, changed: formatting.text !== text, text: formatting.text });
  }
  const changed = files.filter((one) => one.changed);
  if (writes) for (const { file, text } of changed) write(file, text);
  await context.print({ files }, () => {
    if (checks) return changed.map(({ file }) => `${displayLine(file)}\n`).join('');
    if (!writes) return files.map(({ text }) => text).join('');
    return context.isQuiet ? '' : changed.map(({ file }) => `formatted ${displayLine(file)}\n`).join('');
  });
  return checks && changed.length > 0 ? EXIT.failed : undefined;
}

/**
 * Replaces the file atomically. A link is followed.
 * @throws {OrchdError} ORCHD_FILE
 */
function write(file: string, text: string): void {
  try {
    const real = realpathSync(file);
    const beside = `${real}.${process.pid}.tmp`;
    writeFileSync(beside, text);
    chmodSync(beside, statSync(real).mode);
    renameSync(beside, real);
  } catch (error) {
    throw new OrchdError('ORCHD_FILE', `${file} cannot be written: ${errorMessage(error)}`);
  }
}
