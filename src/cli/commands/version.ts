import { VERSION } from '../../protocol/index.js';
import type { CommandSpec } from '../command.js';

/** What programs are told. */
export const aboutVersion = () =>
  ({ orchd: VERSION, node: process.versions.node, platform: `${process.platform}-${process.arch}` }) as const;

export const version: CommandSpec = {
  name: 'version',
  group: 'About orchd',
  summary: 'The version of orchd and of Node.',
  examples: ['orchd version', 'orchd --version --json'],
  async run(context) {
    const about = aboutVersion();
    await context.print(about, () => `orchd ${about.orchd} (Node ${about.node}, ${about.platform})\n`);
    return undefined;
  },
};
