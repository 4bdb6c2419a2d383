/**
 * Words, names, paths, numbers and hashes for generated output: the same ones in the same order for the same seed.
 *
 * The words are those of this repository's documents, about two thousand. A change of the documents therefore changes
 * the output of a seed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../../harness/random.js';

const ROOT = join(import.meta.dirname, '../../..');
const FOLDERS = ['.', 'docs', 'protocol', 'test/bench'];
const ENDINGS = ['ts', 'tsx', 'py', 'rs', 'go', 'md', 'json', 'yaml', 'css', 'sh'] as const;

let known: readonly string[] | null = null;

/** Returns every word of two letters or more in the documents, once, in lower case. */
export function readWords(): readonly string[] {
  known ??= [
    ...new Set(FOLDERS.flatMap(documentsIn).flatMap((text) => text.toLowerCase().match(/\b[a-z]{2,14}\b/g) ?? [])),
  ];
  return known;
}

function documentsIn(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder)).filter((file) => file.endsWith('.md'));
  return files.sort().map((file) => readFileSync(join(ROOT, folder, file), 'utf8'));
}

export interface Vocabulary {
  /** Returns a whole number from 0 to `limit` - 1. */
  below(limit: number): number;
  /** Returns a whole number from `least` to `most`. */
  between(least: number, most: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(list: readonly T[]): T;
  word(): string;
  /** Returns this many words, separated by blanks. */
  words(count: number): string;
  /** Words with a capital first and a full stop, a question mark or a comma somewhere. */
  sentence(least: number, most: number): string;
  /** An identifier of two or three words: camelCase, PascalCase or snake_case. */
  name(): string;
  /** A file's path, relative or absolute. */
  path(): string;
  /** Hexadecimal digits. */
  hash(length: number): string;
  /** Returns a number as programs print it: an integer, a decimal, a size, a duration or a percentage. */
  figure(): string;
  /** A line of source code without its line break. */
  code(): string;
}

export function createVocabulary(seed: number): Vocabulary {
  const all = readWords();
  const { below } = createRandom(seed);
  const between = (least: number, most: number): number => least + below(most - least + 1);
  const once = (times: number): boolean => below(times) === 0;
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T; // no list here is empty
  const word = (): string => pick(all);
  const words = (count: number): string => {
    let text = word();
    for (let n = 1; n < count; n++) text += ` ${word()}`;
    return text;
  };
  const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
  const name = (): string => {
    const parts = Array.from({ length: between(2, 3) }, word);
    if (once(5)) return parts.join('_');
    const joined = parts.map(capital).join('');
    return once(3) ? joined : joined.charAt(0).toLowerCase() + joined.slice(1);
  };
  const path = (): string => {
    const folders = Array.from({ length: between(1, 4) }, () => (once(4) ? `${word()}-${word()}` : word()));
    return `${pick(['', './', '/home/', '~/', '/usr/lib/', '../'])}${folders.join('/')}/${word()}-${word()}.${pick(ENDINGS)}`;
  };
  const hash = (length: number): string => {
    let text = '';
    while (text.length < length) text += below(0x10000000).toString(16).padStart(7, '0');
    return text.slice(0, length);
  };
  const figure = (): string =>
    pick([
      () => String(below(10_000_000)),
      () => `${below(1000)}.${below(1000)}`,
      () => `${below(1000)}.${below(10)}${pick(['k', ' KB', ' MB', 'GiB'])}`,
      () => `${below(100_000)}ms`,
      () => `${below(60)}m ${below(60)}s`,
      () => `${below(100)}.${below(100)}%`,
      () => `0x${hash(between(4, 12))}`,
    ])();
  const sentence = (least: number, most: number): string =>
    `${capital(words(between(least, most)))}${once(3) ? `, ${words(between(2, 6))} ${figure()}` : ''}${pick(['.', '.', '.', '?', ':'])}`;
  const code = (): string => {
    const statement = pick([
      () => `const ${name()} = ${name()}(${name()}, ${below(10_000)}, '${words(between(1, 3))}');`,
      () => `if (${name()}.${name()} ${pick(['===', '!==', '<', '>='])} ${below(100_000)}) return ${name()};`,
      () => `export function ${name()}(${name()}: ${name()}, ${name()}: number): ${name()} {`,
      () => `  ${name()}: { ${word()}: ${below(1000)}, ${word()}: "${words(2)}" }, // ${words(between(2, 8))}`,
      () => `for (const ${name()} of ${name()}.${word()}) ${name()}.push(${name()}[${below(100)}]);`,
      () => `import { ${name()}, ${name()} } from '${path()}';`,
      () => `await ${name()}(\`\${${name()}}/${path()}\`).then((${word()}) => ${word()}.${name()}());`,
      () => `# ${sentence(4, 12)}`,
      () => `def ${name()}(self, ${word()}=${figure()}): return self.${name()} + ${below(1000)}`,
    ])();
    return ' '.repeat(2 * below(9)) + statement;
  };
  return { below, between, once, pick, word, words, sentence, name, path, hash, figure, code };
}
