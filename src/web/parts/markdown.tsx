/**
 * Shows an agent's markdown. Its text cannot run, style or load anything.
 *
 * micromark escapes HTML and drops dangerous links. Its result is parsed into a document that is never shown, and only
 * the elements below are copied from it, as React elements, with none of their attributes but web links.
 */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { createElement, type ReactNode, useMemo } from 'react';
import { displayText } from '../../protocol/index.js';

const COPIED: ReadonlySet<string> = new Set([
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'strong', 'em', 'del', 'code', 'pre', 'blockquote'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'sup'],
]);
/** Headings of a message stand below those of the page. */
const LOWERED: Readonly<Record<string, string>> = { h1: 'h3', h2: 'h4', h3: 'h5', h4: 'h6' };
const WEB_LINK = /^(https?|mailto):/i;
/** A longer text is cut. No question is nearly as long. */
const MAX_CHARS = 50_000;

export function Markdown({ text }: { readonly text: string }) {
  const content = useMemo(() => toElements(text), [text]);
  return <div className="prose">{content}</div>;
}

function toElements(text: string): ReactNode {
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}\n\n…` : text;
  const html = micromark(displayText(cut), { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return copyChildren(body);
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
        {isTold(node, href) ? null : <span className="muted"> ({displayText(href)})</span>}
      </a>
    );
  }
  if (name === 'img') return <span key={key}>[{node.getAttribute('alt') || 'image'}]</span>;
  if (name === 'input') return <span key={key}>{node.hasAttribute('checked') ? '☑ ' : '☐ '}</span>;
  if (!COPIED.has(name)) return <span key={key}>{copyChildren(node)}</span>;
  const children = copyChildren(node);
  return createElement(LOWERED[name] ?? name, { key }, ...(children.length > 0 ? children : []));
}

/** True if the text of a link is its address, so that the reader sees where it leads. */
const isTold = (node: Element, href: string): boolean => {
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
