/**
 * Returns the words that start this command again. npm runs commands that are not on the PATH of your shell: `npx
 * orchd` in a project, and `npm start` in a checkout.
 */
export function commandName(env: Readonly<Record<string, string | undefined>>): string {
  switch (env['npm_lifecycle_event']) {
    case 'npx':
      return 'npx orchd';
    case 'start':
      return 'node bin/orchd.js';
    default:
      return 'orchd';
  }
}
