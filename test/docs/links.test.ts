/** Checks that links between the pages lead to files and headings that exist. Links to other sites are not followed. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { headingSlug } from '../../src/build/heading-slug.js';
import site from '../../src/build/site.js';
import { nodes, PAGES, parsePage, ROOT, readPage, textOf } from './pages.js';

/**
 * Returns the link targets of a page. The parser knows only CommonMark, which reads a table as a paragraph, so links in
 * tables are included.
 */
function linksOf(path: string): string[] {
  return [...nodes(parsePage(path))].flatMap((node) =>
    node.type === 'link' || node.type === 'image' || node.type === 'definition' ? [node.url] : [],
  );
}

const anchors = new Map<string, ReadonlySet<string>>();

/** Returns the anchors of a page, which are computed once. */
function anchorsOf(path: string): ReadonlySet<string> {
  const known = anchors.get(path) ?? readAnchors(path);
  anchors.set(path, known);
  return known;
}

/** Returns the anchors of the headings of a page. A heading that repeats an earlier one gets a number, as on GitHub. */
function readAnchors(path: string): Set<string> {
  const counts = new Map<string, number>();
  const found = new Set<string>();
  for (const node of nodes(parsePage(path))) {
    if (node.type !== 'heading') continue;
    const slug = headingSlug(textOf(node));
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    found.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return found;
}

/** Returns what is wrong with a link, or null. */
function problemOf(page: string, url: string): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(url)) return null;
  const [path = '', anchor] = decodeURIComponent(url).split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  if (!existsSync(join(ROOT, target))) return `${page}: ${url}: there is no file ${target}`;
  if (anchor === undefined || !target.endsWith('.md')) return null;
  return anchorsOf(target).has(anchor) ? null : `${page}: ${url}: ${target} has no heading #${anchor}`;
}

test('every relative link leads to a file and a heading that exist', () => {
  const links = PAGES.flatMap((page) => linksOf(page).map((url) => ({ page, url })));
  expect(links.length).toBeGreaterThan(200);
  expect(links.map(({ page, url }) => problemOf(page, url)).filter((problem) => problem !== null)).toEqual([]);
});

test('the check finds a link to a missing file and a link to a missing heading', () => {
  expect(problemOf('docs/guide/tui.md', '../../protocol/answer.md')).toContain('there is no file protocol/answer.md');
  expect(problemOf('docs/guide/tui.md', 'sessions.md#no-such')).toContain('has no heading #no-such');
  expect(problemOf('docs/guide/tui.md', 'sessions.md#batch-sessions')).toBeNull();
});

test('the README has at most 150 lines and leads to every page of docs/', () => {
  expect(readPage('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  const reached = new Set(['README.md']);
  for (const page of reached) {
    for (const url of linksOf(page)) {
      const target = normalize(join(dirname(page), url.split('#')[0] ?? ''));
      if (PAGES.includes(target)) reached.add(target);
    }
  }
  expect(PAGES.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([]);
});

test('the sidebar of the site has every page of docs/', () => {
  const links = site.themeConfig.sidebar.flatMap(({ items }) => items.map(({ link }) => `${link.slice(1)}.md`));
  expect(PAGES.filter((page) => page.startsWith('docs/') && !links.includes(page))).toEqual([]);
});

test('every recording that a page plays exists and is a valid asciicast whose times never go back', () => {
  const played = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/<Recording name="([^"]*)"/g)].map(([, name]) => `docs/recordings/${name}.cast`),
  );
  expect(played.length).toBeGreaterThan(0);
  for (const path of played) {
    const [header, ...lines] = readFileSync(join(ROOT, path), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(header, path).toMatchObject({ version: 2, width: expect.any(Number), height: expect.any(Number) });
    expect(lines.length, path).toBeGreaterThan(5);
    const times: number[] = lines.map(([seconds]) => seconds);
    expect(times, path).toEqual(times.toSorted((a, b) => a - b));
  }
});
