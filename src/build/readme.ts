/**
 * Generates the parts of the README that follow from tables in the code: commands and errors, between `<!-- name -->`
 * and `<!-- /name -->`.
 */
import { COMMANDS } from '../cli/commands/index.js';
import { ERRORS } from '../protocol/errors.js';

const SECTIONS: Readonly<Record<string, () => string>> = {
  commands: () => {
    const rows = COMMANDS.map(
      ({ name, args, summary }) => `| \`orchd ${[name, args].filter(Boolean).join(' ')}\` | ${summary} |`,
    );
    return ['| command | |', '| --- | --- |', ...rows].join('\n').replaceAll('|c', '\\|c');
  },
  errors: () => {
    const rows = Object.entries(ERRORS).map(
      ([code, { status, exit, hint }]) => `| \`${code}\` | ${status} | ${exit} | ${hint} |`,
    );
    return ['| code | HTTP | exit | what to do |', '| --- | --- | --- | --- |', ...rows].join('\n');
  },
};

/** @returns The README with these parts renewed. */
export function renewReadme(text: string): string {
  let renewed = text;
  for (const [name, make] of Object.entries(SECTIONS)) {
    const place = new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`);
    if (!place.test(renewed)) throw new Error(`the README has no place for ${name}`);
    renewed = renewed.replace(place, () => `<!-- ${name} -->\n${make()}\n<!-- /${name} -->`);
  }
  return renewed;
}
