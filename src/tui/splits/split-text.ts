/**
 * A split as text, in layout files: `api 60% | (web - logs)`. `|` puts screens side by side and `-` one above the
 * other; parts without a share have equal ones. Pure.
 */
import { OrchdError } from '../../protocol/index.js';
import { evenShares, leaf, type SplitNode, type SplitPart, type SplitWay } from './split-tree.js';

const TOKEN = /\s*(?:([()|])|(-)(?=[\s()|]|$)|(\d+)%|([A-Za-z0-9][A-Za-z0-9._-]*)|(\S+))/gy;
/** Many times the length of a split of MAX_SCREENS named screens, so a longer text is none. */
const MAX_SPLIT_CHARS = 2_000;

type Token =
  | { readonly kind: '(' | ')' | '|' | '-' }
  | { readonly kind: 'share'; readonly percent: number }
  | { readonly kind: 'name'; readonly name: string };

/** @throws {OrchdError} ORCHD_LAYOUT with what is wrong. */
export function parseSplit(text: string): SplitNode {
  if (text.length > MAX_SPLIT_CHARS) throw wrong(`it has more than ${MAX_SPLIT_CHARS} characters`);
  const tokens = tokensOf(text.trimEnd());
  let at = 0;
  const peek = (): Token | undefined => tokens[at];

  function parts(): SplitNode {
    const found: { readonly share: number | null; readonly node: SplitNode }[] = [part()];
    let way: SplitWay | null = null;
    for (let next = peek(); next?.kind === '|' || next?.kind === '-'; next = peek()) {
      if (way !== null && next.kind !== way) throw wrong('put brackets around one of two kinds of split: a | (b - c)');
      way = next.kind;
      at++;
      found.push(part());
    }
    const [only] = found;
    if (way === null && only) {
      if (only.share !== null) throw wrong(`a share of ${only.share}% needs a part beside it`);
      return only.node;
    }
    return { kind: 'parts', way: way ?? '|', parts: withShares(found) };
  }

  function part() {
    const node = one();
    const next = peek();
    if (next?.kind !== 'share') return { share: null, node };
    at++;
    return { share: next.percent, node };
  }

  function one(): SplitNode {
    const token = peek();
    at++;
    if (token?.kind === 'name') return leaf(token.name);
    if (token?.kind !== '(') throw wrong(`it needs the name of a session ${placeOf(at - 1)}`);
    const node = parts();
    if (peek()?.kind !== ')') throw wrong('a bracket is not closed');
    at++;
    return node;
  }

  const placeOf = (index: number): string =>
    index >= tokens.length ? 'at the end' : `before '${wordsOf(tokens[index])}'`;

  const tree = parts();
  if (at < tokens.length) throw wrong(`put | or - before '${wordsOf(peek())}'`);
  return tree;
}

function withShares(found: readonly { readonly share: number | null; readonly node: SplitNode }[]): SplitPart[] {
  const given = found.reduce((sum, { share }) => sum + (share ?? 0), 0);
  const open = found.filter(({ share }) => share === null).length;
  if (open === 0 && given !== 100) throw wrong(`the shares of its parts add up to ${given}%, not to 100%`);
  if (open > 0 && 100 - given < open) throw wrong(`shares of ${given}% leave nothing for the other parts`);
  const rest = evenShares(Math.max(1, open)).map((share) => (share * (100 - given)) / 100);
  // Whole percents, of which the first part without a share gets what is left over.
  const whole = rest.map(Math.floor);
  const over = 100 - given - whole.reduce((sum, share) => sum + share, 0);
  let next = 0;
  return found.map(({ share, node }) => {
    if (share !== null) return { share, node };
    const own = (whole[next] ?? 0) + (next < over ? 1 : 0);
    next++;
    return { share: own, node };
  });
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const [, sign, below, percent, name, other] of text.matchAll(TOKEN)) {
    if (sign !== undefined) tokens.push({ kind: sign as '(' | ')' | '|' });
    else if (below !== undefined) tokens.push({ kind: '-' });
    else if (name !== undefined) tokens.push({ kind: 'name', name });
    else if (percent !== undefined) {
      const share = Number(percent);
      if (share < 1 || share > 99) throw wrong(`${percent}% is not a share: use 1% to 99%`);
      tokens.push({ kind: 'share', percent: share });
    } else throw wrong(`'${other}' is neither a name nor | - ( ) or a share such as 40%`);
  }
  return tokens;
}

const wordsOf = (token: Token | undefined): string =>
  token === undefined
    ? ''
    : token.kind === 'name'
      ? token.name
      : token.kind === 'share'
        ? `${token.percent}%`
        : token.kind;

const wrong = (words: string): OrchdError => new OrchdError('ORCHD_LAYOUT', `split: ${words}`);

/** Returns the text of a split, without shares where the parts are equal. */
export function splitText(node: SplitNode): string {
  if (node.kind === 'leaf') return node.name;
  const even = evenShares(node.parts.length);
  const isEven = node.parts.every(({ share }, at) => share === even[at]);
  return node.parts
    .map(({ share, node: inner }) => {
      const text = inner.kind === 'leaf' ? inner.name : `(${splitText(inner)})`;
      return isEven ? text : `${text} ${share}%`;
    })
    .join(` ${node.way} `);
}
