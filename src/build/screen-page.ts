/**
 * Generates the list of differences in protocol/screen.md, between `<!-- differences -->` and `<!-- /differences -->`,
 * from the fixture that the tests use.
 */

interface Difference {
  readonly name: string;
  readonly right: string;
  readonly why: string;
  readonly example: string;
}

/** @returns The page with the list renewed. */
export function renewScreenPage(page: string, fixture: string): string {
  const { differences }: { differences: readonly Difference[] } = JSON.parse(fixture);
  const rows = differences.map(
    ({ name, right, why, example }) => `| ${name} | \`${shown(example)}\` | ${right} | ${why} |`,
  );
  const table = ['| difference | shown by | who is right | why |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const place = /<!-- differences -->[\s\S]*<!-- \/differences -->/;
  if (!place.test(page)) throw new Error('protocol/screen.md has no place for the differences');
  return page.replace(place, () => `<!-- differences -->\n${table}\n<!-- /differences -->`);
}

/** Replaces control characters by visible symbols for a table row. */
const shown = (example: string): string =>
  example.replaceAll('\x1b', '␛').replaceAll('\r', '␍').replaceAll('\n', '␊').replaceAll('|', '\\|').trim();
