/**
 * Grammars in the notation of the XML specification: read, turned into text, and compared with text.
 *
 * In:   a grammar as in protocol/agentfile.ebnf, which says the notation.
 * Out:  `sentence`: a text that a rule allows, by chance; `accepts`: whether a rule allows a whole text. The latter
 *       follows all possibilities at once, and so knows nothing of the order or of the lookahead of a parser.
 */
import type { Random } from './random.js';

type Expression =
  | { readonly kind: 'text'; readonly chars: readonly string[] }
  | {
      readonly kind: 'class';
      readonly isNegated: boolean;
      readonly ranges: readonly (readonly [number, number])[];
      /** For a negated class: characters that it matches. */
      readonly samples: readonly string[];
    }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'all' | 'one'; readonly parts: readonly Expression[] }
  | { readonly kind: 'less'; readonly part: Expression; readonly without: Expression }
  | { readonly kind: 'repeat'; readonly part: Expression; readonly least: 0 | 1; readonly most: 1 | typeof Infinity };

export interface Grammar {
  sentence(rule: string, random: Random): string;
  accepts(rule: string, text: string): boolean;
}

export function readGrammar(text: string): Grammar {
  const rules = readRules(text);
  const ruleOf = (name: string): Expression => {
    const found = rules.get(name);
    if (!found) throw new Error(`the grammar has no rule ${name}`);
    return found;
  };
  return {
    sentence: (rule, random) => make(ruleOf(rule), ruleOf, random),
    accepts(rule, given) {
      const chars = Array.from(given);
      return createMatcher(chars, ruleOf)(ruleOf(rule), 0).has(chars.length);
    },
  };
}

// ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const TOKEN = /\/\*[\s\S]*?\*\/|\s+|(::=)|([A-Za-z]\w*)|#x([0-9A-Fa-f]+)|"([^"]*)"|'([^']*)'|\[([^\]]*)\]|([()|?*+-])/y;

function readRules(text: string): Map<string, Expression> {
  const tokens: { readonly symbol: string; readonly value?: Expression; readonly name?: string }[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new Error(`the grammar cannot be read: ${text.slice(at, at + 40)}`);
    const [, defines, name, code, double, single, members, symbol] = match;
    if (defines) tokens.push({ symbol: '::=' });
    else if (name) tokens.push({ symbol: 'name', name });
    else if (symbol) tokens.push({ symbol });
    else if (members !== undefined) tokens.push({ symbol: 'value', value: readClass(members) });
    else if (code ?? double ?? single) {
      const chars = Array.from(code ? String.fromCodePoint(Number.parseInt(code, 16)) : (double ?? single ?? ''));
      tokens.push({ symbol: 'value', value: { kind: 'text', chars } });
    }
  }
  let at = 0;
  const isAt = (symbol: string): boolean => tokens[at]?.symbol === symbol;
  const isRuleStart = (): boolean => isAt('name') && tokens[at + 1]?.symbol === '::=';

  const either = (): Expression => {
    const parts = [sequence()];
    while (isAt('|')) {
      at++;
      parts.push(sequence());
    }
    return { kind: 'one', parts };
  };
  const sequence = (): Expression => {
    const parts: Expression[] = [];
    while (at < tokens.length && !isAt('|') && !isAt(')') && !isRuleStart()) {
      const part = repeated();
      if (!isAt('-')) parts.push(part);
      else {
        at++;
        parts.push({ kind: 'less', part, without: repeated() });
      }
    }
    return { kind: 'all', parts };
  };
  const repeated = (): Expression => {
    const part = primary();
    if (isAt('?')) at++;
    else if (isAt('*') || isAt('+')) {
      return { kind: 'repeat', part, least: tokens[at++]?.symbol === '+' ? 1 : 0, most: Number.POSITIVE_INFINITY };
    } else return part;
    return { kind: 'repeat', part, least: 0, most: 1 };
  };
  const primary = (): Expression => {
    const token = tokens[at++];
    if (token?.value) return token.value;
    if (token?.name) return { kind: 'rule', name: token.name };
    if (token?.symbol !== '(') throw new Error(`the grammar has '${token?.symbol}' where a part is needed`);
    const inner = either();
    at++;
    return inner;
  };

  const rules = new Map<string, Expression>();
  while (at < tokens.length) {
    const name = tokens[at]?.name ?? '';
    at += 2;
    rules.set(name, either());
  }
  return rules;
}

/**
 * Candidates for negated classes: common text, characters that grammars often get wrong, and characters that are wide
 * or take two UTF-16 units.
 */
const MIXED = Array.from('aeinst XY09_-.,:;!?()[]{}<>|/\\"\'#$%&*+=~\t\n\r日本語é🙂\u0301\u00a0\u202e');

function readClass(members: string): Expression {
  const isNegated = members.startsWith('^');
  const pattern = /(?:#x([0-9A-Fa-f]+)|([\s\S]))(?:-(?:#x([0-9A-Fa-f]+)|([\s\S])))?/gu;
  const code = (hex: string | undefined, char: string | undefined): number | undefined =>
    hex ? Number.parseInt(hex, 16) : char?.codePointAt(0);
  const ranges = [...members.slice(isNegated ? 1 : 0).matchAll(pattern)].map(
    ([, fromHex, fromChar, toHex, toChar]): readonly [number, number] => {
      const from = code(fromHex, fromChar) ?? 0;
      return [from, code(toHex, toChar) ?? from];
    },
  );
  const samples = MIXED.filter((char) => !isMember(ranges, char.codePointAt(0) ?? 0));
  return { kind: 'class', isNegated, ranges, samples };
}

const isMember = (ranges: readonly (readonly [number, number])[], code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to);

// ── making ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const MORE = 55;

function make(expression: Expression, ruleOf: (name: string) => Expression, random: Random): string {
  switch (expression.kind) {
    case 'text':
      return expression.chars.join('');
    case 'class': {
      const { isNegated, ranges, samples } = expression;
      if (isNegated) return pick(samples, random);
      const [from, to] = pick(ranges, random);
      return String.fromCodePoint(from + random.below(to - from + 1));
    }
    case 'rule':
      return make(ruleOf(expression.name), ruleOf, random);
    case 'all':
      return expression.parts.map((part) => make(part, ruleOf, random)).join('');
    case 'one':
      return make(pick(expression.parts, random), ruleOf, random);
    case 'less':
      for (;;) {
        const text = make(expression.part, ruleOf, random);
        const chars = Array.from(text);
        if (!createMatcher(chars, ruleOf)(expression.without, 0).has(chars.length)) return text;
      }
    case 'repeat': {
      let text = '';
      for (let count = 0; count < expression.most; count++) {
        if (count >= expression.least && random.below(100) >= MORE) break;
        text += make(expression.part, ruleOf, random);
      }
      return text;
    }
  }
}

function pick<T>(values: readonly T[], random: Random): T {
  return values[random.below(values.length)] as T; // never empty
}

// ── comparing ───────────────────────────────────────────────────────────────────────────────────────────────────────

type Matcher = (expression: Expression, from: number) => ReadonlySet<number>;

/** Returns the positions at which a part may end if it begins at a position. */
function createMatcher(chars: readonly string[], ruleOf: (name: string) => Expression): Matcher {
  const known = new Map<Expression, ReadonlySet<number>[]>();
  const ends: Matcher = (expression, from) => {
    const places = known.get(expression) ?? [];
    known.set(expression, places);
    const found = places[from] ?? find(expression, from);
    places[from] = found;
    return found;
  };
  const find: Matcher = (expression, from) => {
    switch (expression.kind) {
      case 'text':
        return expression.chars.every((char, index) => chars[from + index] === char)
          ? new Set([from + expression.chars.length])
          : new Set();
      case 'class': {
        const code = chars[from]?.codePointAt(0);
        const isHere = code !== undefined && isMember(expression.ranges, code) !== expression.isNegated;
        return isHere ? new Set([from + 1]) : new Set();
      }
      case 'rule':
        return ends(ruleOf(expression.name), from);
      case 'all': {
        let places = new Set([from]);
        for (const part of expression.parts) {
          const next = new Set<number>();
          for (const place of places) for (const end of ends(part, place)) next.add(end);
          places = next;
        }
        return places;
      }
      case 'one':
        return new Set(expression.parts.flatMap((part) => [...ends(part, from)]));
      case 'less': {
        const without = ends(expression.without, from);
        return new Set([...ends(expression.part, from)].filter((end) => !without.has(end)));
      }
      case 'repeat': {
        const places = new Set(expression.least === 0 ? [from] : []);
        let newest = new Set([from]);
        for (let count = 0; count < expression.most && newest.size > 0; count++) {
          const next = new Set<number>();
          for (const place of newest)
            for (const end of ends(expression.part, place)) if (!places.has(end)) next.add(end);
          for (const end of next) places.add(end);
          newest = next;
        }
        return places;
      }
    }
  };
  return ends;
}
