/** The options of every command that connects to a server. Paths of files become absolute: the daemon reads them. */
import { resolve } from 'node:path';
import { flag, type Options, text } from '../program/command.js';
import type { Context } from '../program/context.js';

export function connectionOptions(context: Context, options: Options) {
  const path = (name: string): string | undefined => {
    const given = text(options, name);
    return given === undefined ? undefined : resolve(context.cwd, given);
  };
  const [creds, ca] = [path('creds'), path('ca')];
  return {
    ...(creds !== undefined && { creds }),
    ...(ca !== undefined && { ca }),
    ...(flag(options, 'insecure') && { insecure: true }),
  };
}
