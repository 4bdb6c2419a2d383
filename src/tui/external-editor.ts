/**
 * A text in the person's own editor: $VISUAL, else $EDITOR, else vi.
 *
 * The text lies in a file of mode 0600 in a folder of its own, which is removed by `discard`. Whatever the editor does,
 * what was typed is not lost: one that fails leaves the text as it was saved last. Knows nothing of the TUI, which has
 * let go of the terminal.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Edited {
  readonly text: string;
  /** Why the editor cannot have done its work; null when it has. */
  readonly problem: string | null;
  /** Where the text is until it is discarded. */
  readonly file: string;
  discard(): void;
}

/** @param name  The file's, by which the editor knows what it holds. */
export async function editInEditor(env: NodeJS.ProcessEnv, text: string, name = 'answer.md'): Promise<Edited> {
  const editor = env['VISUAL']?.trim() || env['EDITOR']?.trim() || 'vi';
  const folder = mkdtempSync(join(tmpdir(), 'orchd-edit-'));
  const file = join(folder, name);
  writeFileSync(file, text === '' ? '' : `${text}\n`, { mode: 0o600, flag: 'wx' });
  const problem = await runEditor(editor, file, env);
  return { text: saved(file, text), problem, file, discard: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The editor's own newline at the end is not the answer's. */
function saved(file: string, before: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return before;
  }
}

/** The shell finds the editor's arguments: `code --wait`. It gets the file as an argument, never as text. */
function runEditor(editor: string, file: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  // Ctrl-C in the editor is the editor's, although it reaches us as well.
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

/** What a shell says of a command that it does not find. */
const NOT_FOUND = 127;
