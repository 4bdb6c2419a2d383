/**
 * Opens a link in the person's browser.
 *
 * The link holds a code, and other users of the machine can read the arguments of programs. So the browser is given a
 * file of mode 0600, which leads to the link.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'open', linux: 'xdg-open' };

/**
 * @param file  The file to write, in a folder that no other user can write to.
 * @returns Why the browser was not opened; null on success.
 */
export async function openBrowser(env: NodeJS.ProcessEnv, file: string, url: string): Promise<string | null> {
  const program = env['BROWSER'] || OPENERS[process.platform];
  if (program === undefined) return 'set BROWSER to the program that opens links';
  if (process.platform === 'linux' && !env['BROWSER'] && !env['DISPLAY'] && !env['WAYLAND_DISPLAY'])
    return 'there is no display here';
  rmSync(file, { force: true });
  writeFileSync(file, pageTo(url), { mode: 0o600, flag: 'wx' });
  return new Promise((resolve) => {
    const child = spawn(program, [pathToFileURL(file).href], { env, stdio: 'ignore', detached: true });
    child.once('error', (error) => resolve(`${program} did not start: ${error.message}`));
    child.once('spawn', () => {
      child.unref();
      resolve(null);
    });
  });
}

const pageTo = (url: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${url}">
<title>orchd</title>
<p><a href="${url}">Open the orchd dashboard</a></p>
`;
