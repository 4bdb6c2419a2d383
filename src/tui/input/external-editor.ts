/**
 * Edits a text in the person's editor: $VISUAL, else $EDITOR, else vi.
 *
 * The text is in a file of mode 0600 in its own folder, which `discard` removes. If the editor fails, the text that was
 * saved last is returned, so no typed text is lost. The caller must release the terminal first.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Edited {
  readonly text: string;
  /** Why the editor failed; null on success. */
  readonly problem: string | null;
  /** The file that holds the text until `discard` is called. */
  readonly file: string;
  discard(): void;
}

/** @param name  The name of the file; editors derive the text's format from it. */
export async function editInEditor(env: NodeJS.ProcessEnv, text: string, name = 'answer.md'): Promise<Edited> {
  const editor = env['VISUAL']?.trim() || env['EDITOR']?.trim() || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'orchd-edit-'));
  const file = join(folder, name);
  writeFileSync(file, text === '' ? '' : `${text}\n`, { mode: 0o600, flag: 'wx' });
  const problem = await runEditor(editor, file, env);
  return { text: saved(file, text), problem, file, discard: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Removes the newline that editors add at the end. */
function saved(file: string, before: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return before;
  }
}

/**
 * Runs the editor through a shell, because $EDITOR may contain arguments, as in `code --wait`. The file's path is
 * passed as an argument, never as shell text.
 */
function runEditor(editor: string, file: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  // Ctrl-C in the editor also sends SIGINT to this process, which must ignore it.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  return new Promise<string | null>((resolve) => {
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'orchd', file], { env, stdio: 'inherit' });
    child.once('error', (error) => resolve(`the editor did not start: ${error.message}`));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(null);
      else if (code === NOT_FOUND) resolve(`there is no editor '${editor}': set $VISUAL or $EDITOR`);
      else resolve(`the editor '${editor}' ended with ${signal ?? `exit code ${code}`}`);
    });
  }).finally(() => process.off('SIGINT', ignore));
}

/** The exit code of a shell that does not find the command. */
const NOT_FOUND = 127;
