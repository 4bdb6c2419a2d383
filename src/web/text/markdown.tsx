/**
 * Renders an agent's markdown. The text can neither run code, nor set styles, nor load anything.
 *
 * micromark escapes HTML and drops dangerous links. Its result is parsed into a document that is never shown. Only the
 * elements below are copied from it, as React elements. Of their attributes, only the addresses of web links are
 * copied.
 */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { createElement, type ReactNode, useMemo } from 'react';
import { displayText } from '../../protocol/index.js';

const COPIED: ReadonlySet<string> = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 strong em del code pre blockquote ul ol li table thead tbody tr th td sup'.split(' '),
);
/** Level of the first headings in a text, below those of the page. */
const FIRST_LEVEL = 3;
const LAST_LEVEL = 6;
/** Elements that scroll sideways if they are wide. They take the focus, so that the keyboard scrolls them, too. */
const SCROLLING: ReadonlySet<string> = new Set(['pre', 'table']);
const WEB_LINK = /^(https?|mailto):/i;
/** A longer text is cut. Questions are much shorter. */
const MAX_CHARS = 50_000;

export function Markdown({ text }: { readonly text: string }) {
  const content = useMemo(() => toElements(text), [text]);
  return <div className="prose">{content}</div>;
}

function toElements(text: string): ReactNode {
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n\n…` : text;
  const html = micromark(displayText(cut), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  lowerHeadings(body);
  return copyChildren(body);
}

/** Gives headings the levels below those of the page, and leaves no level out: screen readers list them by level. */
function lowerHeadings(body: HTMLElement): void {
  const above: string[] = [];
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    while ((above.at(-1) ?? '') >= heading.localName) above.pop();
    const lowered = document.createElement(`h${Math.min(FIRST_LEVEL + above.length, LAST_LEVEL)}`);
    above.push(heading.localName);
    lowered.append(...heading.childNodes);
    heading.replaceWith(lowered);
  }
}

const copyChildren = (node: Node): ReactNode[] => [...node.childNodes].map(copy);

function copy(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element)) return null;
  const name = node.localName;
  if (name === 'a') {
    const href = node.getAttribute('href') ?? '';
    if (!WEB_LINK.test(href)) return <span key={key}>{copyChildren(node)}</span>;
    return (
      <a key={key} href={href} target="_blank" rel="noopener noreferrer">
        {copyChildren(node)}
        {isTargetVisible(node, href) ? null : <span className="muted"> ({displayText(href)})</span>}
      </a>
    );
  }
  if (name === 'img') return <span key={key}>[{node.getAttribute('alt') || 'image'}]</span>;
  if (name === 'input') return <span key={key}>{node.hasAttribute('checked') ? '☑ ' : '☐ '}</span>;
  if (!COPIED.has(name)) return <span key={key}>{copyChildren(node)}</span>;
  const children = copyChildren(node);
  return createElement(
    name,
    { key, ...(SCROLLING.has(name) && { tabIndex: 0 }) },
    ...(children.length > 0 ? children : []),
  );
}

/** True if the text of a link is its address, so that the reader sees the destination. */
const isTargetVisible = (node: Element, href: string): boolean => {
  const text = node.textContent ?? '';
  return href === text || href === `http://${text}` || href === `mailto:${text}` || decoded(href) === text;
};

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}
