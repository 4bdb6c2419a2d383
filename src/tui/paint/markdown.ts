/**
 * Renders markdown as rows of a terminal. Pure: takes a text and a width, returns painted rows.
 *
 * No text is lost. Tables, HTML and references are shown as written, links are followed by their target, code keeps its
 * backquotes, and a line break stays one. Entities can encode control characters, so every value is sanitized after
 * parsing.
 */
import type { Nodes, Parent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { Paint, Style } from './paint.js';
import { type Span, wrapSpans } from './spans.js';
import { plainText, wrap } from './text.js';

/** A longer text is shown as written, because parsing time grows faster than the text's length. */
export const MAX_MARKDOWN_CHARS = 16 * 1024;

export function markdownRows(paint: Paint, text: string, columns: number): string[] {
  if (text.length > MAX_MARKDOWN_CHARS) return wrap(plainText(text), columns);
  const shown = plainText(text);
  return blocks({ paint, source: shown }, fromMarkdown(shown).children, columns);
}

interface Context {
  readonly paint: Paint;
  readonly source: string;
}

function blocks(context: Context, nodes: readonly Nodes[], columns: number, isTight = false): string[] {
  return nodes.flatMap((node, i) => [...(i > 0 && !isTight ? [''] : []), ...block(context, node, columns)]);
}

function block(context: Context, node: Nodes, columns: number): string[] {
  const { paint } = context;
  switch (node.type) {
    case 'paragraph':
      return wrapSpans(paint, inline(context, node, []), columns);
    case 'heading':
      return wrapSpans(paint, inline(context, node, ['bold']), columns);
    case 'list':
      return node.children.flatMap((item, i) => {
        const marker = node.ordered ? `${(node.start ?? 1) + i}.` : '•';
        const rows = blocks(context, item.children, columns - marker.length - 1, !node.spread);
        const gap = i > 0 && node.spread ? [''] : [];
        return [...gap, ...rows.map((row, y) => `${y === 0 ? marker : ' '.repeat(marker.length)} ${row}`)];
      });
    case 'code':
      return wrap(plainText(node.value), columns - 2).map((row) => `${paint('dim', '│')} ${row}`);
    case 'blockquote':
      return blocks(context, node.children, columns - 2).map((row) => `${paint('dim', '>')} ${row}`);
    case 'thematicBreak':
      return [paint('dim', '─'.repeat(Math.min(columns, RULE_COLUMNS)))];
    default:
      return wrap(asWritten(context, node), columns);
  }
}

const RULE_COLUMNS = 20;

function inline(context: Context, parent: Parent, style: readonly Style[]): Span[] {
  return parent.children.flatMap((node) => inlineOf(context, node, style));
}

function inlineOf(context: Context, node: RootContent, style: readonly Style[]): Span[] {
  switch (node.type) {
    case 'text':
      return [{ text: plainText(node.value), style }];
    case 'strong':
      return inline(context, node, [...style, 'bold']);
    case 'emphasis':
      return inline(context, node, [...style, 'italic']);
    case 'inlineCode':
      return [{ text: `\`${plainText(node.value)}\``, style: [...style, 'cyan'] }];
    case 'break':
      return [{ text: '\n', style }];
    case 'link': {
      const spans = inline(context, node, style);
      const where = plainText(node.url);
      const isSaid = spans.map(({ text }) => text).join('') === where.replace(/^mailto:/, '');
      return isSaid ? spans : [...spans, { text: ` (${where})`, style: ['dim'] }];
    }
    case 'image':
      return [{ text: `[image: ${plainText(node.alt ?? '')}] (${plainText(node.url)})`, style }];
    default:
      return [{ text: asWritten(context, node), style }];
  }
}

function asWritten({ source }: Context, { position }: Nodes): string {
  return source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);
}
