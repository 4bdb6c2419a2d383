import { VERSION } from '../../protocol/index.js';
import type { CommandSpec } from '../command.js';

export const version: CommandSpec = {
  name: 'version',
  group: 'About orchd',
  summary: 'The version of orchd and of Node.',
  examples: ['orchd version'],
  async run(context) {
    const about = { orchd: VERSION, node: process.versions.node, platform: `${process.platform}-${process.arch}` };
    await context.print(about, () => `orchd ${about.orchd} (Node ${about.node}, ${about.platform})\n`);
    return undefined;
  },
};
