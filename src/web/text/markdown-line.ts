/** Returns an agent's markdown as one line of plain text, for rows that have no room for its form. */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { displayText } from '../../protocol/index.js';
import { line } from './label-text.js';

/** Markdown beyond this length is not read: the row is cut much earlier. */
const MAX_CHARS = 2_000;
/** Without one of these characters, a text is the same with and without its markdown. */
const MARKED = /[*_`~#>|<[\]&\\!+]|^\s*(?:-|\d+[.)])|https?:/m;
const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, li, tr, td, th, pre, br, hr, blockquote';

export function markdownLine(text: string, most?: number): string {
  return line(MARKED.test(text) ? withoutMarkdown(text) : text, most);
}

function withoutMarkdown(text: string): string {
  const cut = text.slice(0, MAX_CHARS);
  const html = micromark(displayText(cut), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const image of body.querySelectorAll('img')) image.replaceWith(image.getAttribute('alt') || 'image');
  for (const box of body.querySelectorAll('input')) box.replaceWith(box.hasAttribute('checked') ? '☑ ' : '☐ ');
  for (const block of body.querySelectorAll(BLOCKS)) block.append(' ');
  const plain = (body.textContent ?? '').replace(/\s+/g, ' ').trim();
  const end = text.length > MAX_CHARS ? '…' : '';
  return `${plain || cut}${end}`; // a text that is only a rule, for example
}
