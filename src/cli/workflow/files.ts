/** `orchd workflow files`: lists the Agentfiles of a project. */
import { resolve } from 'node:path';
import { bytesText, displayLine } from '../../protocol/index.js';
import { printList } from '../printing/print-list.js';
import type { Context } from '../program/context.js';

export async function listFiles(context: Context, dir: string): Promise<undefined> {
  const { files, more } = await context.client().call('workflow.files', { project: resolve(context.cwd, dir) });
  await printList(context, files, {
    idOf: ({ file }) => displayLine(file),
    none: 'no Agentfiles; they are named Agentfile or *.agentfile',
    head: ['FILE', 'WORKFLOW', 'SIZE', 'PROBLEM'],
    row: ({ file, name, bytes, problem }) => [
      { text: displayLine(file), style: 'bold' },
      { text: name === null ? '' : displayLine(name) },
      { text: bytesText(bytes) },
      { text: problem === null ? '' : displayLine(problem) },
    ],
  });
  if (more) context.note('there may be more: not all folders were searched');
  return undefined;
}
