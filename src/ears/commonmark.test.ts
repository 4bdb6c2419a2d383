/**
 * Compares the grammar with CommonMark (`mdast-util-from-markdown`): both must find the same message blocks with the
 * same content.
 */
import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { tries } from '../../test/harness/tries.js';
import { createStructure, readLine } from './grammar/blocks.js';
import { readText } from './grammar/grammar.js';

interface Node {
  readonly type: string;
  readonly lang?: string | null;
  readonly value?: string;
  readonly children?: readonly Node[];
}

/** Content of the blocks that CommonMark sees outside of quotes. */
function blocksOf(node: Node): string[] {
  if (node.type === 'blockquote') return [];
  if (node.type === 'code') return node.lang === 'orchestrator-message' ? [node.value ?? ''] : [];
  return (node.children ?? []).flatMap(blocksOf);
}

/** Runs orchd's grammar. CommonMark accepts an unclosed block. orchd rejects it. */
function foundBlocks(text: string): string[] {
  return readText(text).flatMap((utterance) =>
    utterance.form === 'fence' || (utterance.form === 'broken' && utterance.source === 'fence') ? [utterance.text] : [],
  );
}

const indent = fc.constantFrom('', '', '', '', ' ', '  ', '   ', '    ', '     ', '\t', ' \t', '      ');
const fence = fc
  .tuple(
    fc.constantFrom('```', '```', '```', '````', '`````', '~~~', '~~~~', '``'),
    fc.constantFrom('', '', '', ' ', '\t'),
  )
  .chain(([run, gap]) =>
    fc
      .constantFrom(
        '',
        '',
        '',
        'orchestrator-message',
        'orchestrator-message',
        'orchestrator-message',
        'orchestrator-message x=1',
        'orchestrator-messages',
        'js',
        'a`b',
        ' ',
      )
      .map((info) => run + gap + info),
  );
const list = fc.constantFrom(
  '- ',
  '* ',
  '+ ',
  '1. ',
  '1) ',
  '-   ',
  '-\t',
  '1.\t',
  '-',
  '1.',
  '-      ',
  '- - ',
  '- 1. ',
);
const quote = fc.constantFrom('> ', '>', '> > ', '>\t', '> - ', '- > ');
const html = fc.constantFrom(
  '<!-- x',
  '-->',
  '<!-- x -->',
  '<div>',
  '</div>',
  '<b>',
  '<?x',
  '?>',
  '<pre>',
  '</pre>',
  '<!X',
  '<![CDATA[',
  ']]>',
  '<a b="c">',
  '<x y',
  '</x >',
);
const text = fc.constantFrom(
  'text',
  '{"type": 1}',
  'a b',
  '# head',
  '===',
  '---',
  '***',
  '- - -',
  '_ _ _',
  '#x',
  '1',
  '`code`',
  '12345678901. x',
  '\\',
);
const content = fc.oneof(
  { weight: 5, arbitrary: fence },
  { weight: 3, arbitrary: text },
  { weight: 1, arbitrary: html },
);
const line = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(indent, content).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: fc.tuple(indent, list, fc.option(content, { nil: '' })).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(indent, quote, fc.option(content, { nil: '' })).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.tuple(list, list, content).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.constantFrom('', '', ' ', '    ') },
);
const document = fc.array(line, { minLength: 1, maxLength: 14 }).map((lines) => lines.join('\n'));

/**
 * True if micromark may read the text differently from CommonMark. An empty item, or one with a number other than 1,
 * cannot interrupt a paragraph. micromark applies that rule also after indented code, and in an item that interrupts a
 * paragraph.
 */
function hasQuirk(markdown: string): boolean {
  const structure = createStructure();
  let wasCode = false;
  for (const line of markdown.split('\n')) {
    if (wasCode && /(?:[-+*]|\d[.)])[ \t]*$/.test(line)) return true;
    if (structure.leaf.kind === 'paragraph' && /[-+*.)>][ \t]*(?:[-+*]|\d[.)])[ \t]*$/.test(line)) return true;
    const { kind } = readLine(structure, line);
    // A tag alone on a line cannot interrupt a paragraph. micromark allows it in a lazy continuation line.
    if (kind === 'text' && structure.containers.length > 0 && /<\/?[a-z]/.test(line)) return true;
    if (kind !== 'blank') wasCode = kind === 'code';
  }
  return false;
}

const trimmed = (values: readonly string[]): string[] => values.map((value) => value.replace(/[ \t\n]+$/, ''));

describe('the grammar and CommonMark', () => {
  it('find the same message blocks', () => {
    fc.assert(
      fc.property(document, (markdown) => {
        fc.pre(!hasQuirk(markdown));
        expect(trimmed(foundBlocks(markdown))).toEqual(trimmed(blocksOf(fromMarkdown(markdown) as Node)));
      }),
      tries(6000),
    );
  });
});
