/**
 * `npm run test:hard -- NAME [OPTIONS]`: runs one hard test. They take minutes, so they are not part of `npm test`.
 *
 * Every other file in this folder is a hard test: it exports `hard: HardTest`. Helpers live in sub-folders.
 * Exits with 0 if the test held, with 1 if it did not, and with 2 for a wrong command line.
 */
import { readdirSync } from 'node:fs';

export interface HardTest {
  /** One line for `--help`. */
  readonly summary: string;
  /** Lines for `--help`, one for each option. */
  readonly options?: readonly string[];
  /** Runs the test. Prints what it does. Throws if something did not hold. */
  run(args: string[]): Promise<void>;
}

const NAMES = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();
const WIDTH = Math.max(...NAMES.map(({ length }) => length)) + 2;
const load = async (name: string): Promise<HardTest> => (await import(`./${name}.js`)).hard;

async function help(): Promise<string> {
  const lines = ['npm run test:hard -- NAME [OPTIONS]', ''];
  for (const name of NAMES) {
    const { summary, options = [] } = await load(name);
    lines.push(`  ${name.padEnd(WIDTH)}${summary}`, ...options.map((option) => `${' '.repeat(WIDTH + 4)}${option}`));
  }
  return `${lines.join('\n')}\n`;
}

const [name, ...args] = process.argv.slice(2);
if (name === undefined || name === '--help' || args.includes('--help')) {
  process.stdout.write(await help());
} else if (!NAMES.includes(name)) {
  process.stderr.write(`there is no hard test '${name}'\n\n${await help()}`);
  process.exitCode = 2;
} else {
  const { run } = await load(name);
  const startedAt = Date.now();
  try {
    await run(args);
    console.log(`${name}: held, in ${Math.round((Date.now() - startedAt) / 1000)} s`);
    process.exit(0);
  } catch (error) {
    console.error(error);
    console.error(`${name}: did not hold, after ${Math.round((Date.now() - startedAt) / 1000)} s`);
    process.exit(1);
  }
}
