/**
 * Parses a command line with its command's spec, if it is certainly valid.
 *
 * In:   the spec, and the words after the command's name.
 * Out:  the same result as commander's. Null if commander would report an error or print help, or in any case of doubt;
 *       the caller then uses commander.
 */
import type { CommandSpec, Options, OptionValue } from './command.js';

export interface Words {
  readonly args: readonly string[];
  readonly options: Options;
}

interface Flag {
  readonly name: string;
  readonly takes: 'nothing' | 'value' | 'values' | 'perhaps';
  /** The value of the option if it is given: `--no-enter` is `enter: false`. */
  readonly value: boolean;
}

export function readWords(spec: CommandSpec, words: readonly string[]): Words | null {
  const flags = flagsOf(spec);
  const options: Record<string, OptionValue> = {};
  for (const { name, takes, value } of flags.values()) {
    if (takes === 'values') options[name] = [];
    if (!value) options[name] = true;
  }
  const args: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      args.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      args.push(word);
      if (!spec.passesThrough) continue;
      args.push(...words.slice(at + 1));
      break;
    }
    const found = flags.get(word);
    if (!found || found.takes === 'perhaps') return null;
    if (found.takes === 'nothing') options[found.name] = found.value;
    else {
      const given = words[++at];
      if (given === undefined) return null;
      const before = options[found.name];
      options[found.name] = Array.isArray(before) ? [...before, given] : given;
    }
  }
  return fits(spec.args ?? '', args.length) ? { args, options } : null;
}

/** Returns the flags by each of their spellings. */
function flagsOf(spec: CommandSpec): Map<string, Flag> {
  const flags = new Map<string, Flag>();
  const own = spec.options ?? [];
  for (const [spelling, description] of [...own, ['--json', ''], ['-q, --quiet', '']] as const) {
    const words = spelling.split(/[ ,]+/);
    const long = words.find((word) => word.startsWith('--')) ?? '';
    const placeholder = words.find((word) => !word.startsWith('-')) ?? '';
    const takes = takesOf(placeholder, description);
    const isNegated = long.startsWith('--no-');
    const name = camelCase(long.slice(isNegated ? 5 : 2));
    for (const word of words) if (word.startsWith('-')) flags.set(word, { name, takes, value: !isNegated });
  }
  return flags;
}

function takesOf(placeholder: string, description: string): Flag['takes'] {
  if (placeholder === '') return 'nothing';
  if (placeholder.startsWith('[')) return 'perhaps';
  return description.endsWith('…') ? 'values' : 'value';
}

const camelCase = (name: string): string => name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/**
 * Checks the number of arguments for a pattern such as `<session> [text]`: all required ones, and no more than there
 * are.
 */
function fits(pattern: string, count: number): boolean {
  const all = pattern.split(' ').filter((word) => word !== '');
  const required = all.filter((word) => word.startsWith('<')).length;
  return count >= required && (count <= all.length || pattern.includes('...'));
}
