import { COMMIT, VERSION } from '../../protocol/version.js';
import type { CommandSpec } from '../program/command.js';

/** The version as JSON. */
const aboutVersion = () =>
  ({
    orchd: VERSION,
    commit: COMMIT,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
  }) as const;

/**
 * Returns the text of `orchd version`, a sentence, or of `orchd --version`, the number alone. With --json both are the
 * same.
 */
export function versionText(form: 'sentence' | 'number', isJson: boolean): string {
  const about = aboutVersion();
  if (isJson) return `${JSON.stringify(about, null, 2)}\n`;
  if (form === 'number') return `${about.orchd}\n`;
  const build = about.commit === null ? '' : `commit ${about.commit}, `;
  return `orchd ${about.orchd} (${build}Node ${about.node}, ${about.platform})\n`;
}

export const version: CommandSpec = {
  name: 'version',
  group: 'About orchd',
  summary: 'Print the version of orchd, the commit of the build, and the version of Node.',
  examples: ['orchd version', 'orchd --version --json'],
  async run(context) {
    await context.write(versionText('sentence', context.isJson));
    return undefined;
  },
};
