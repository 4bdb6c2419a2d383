/**
 * The documentation as a site (VitePress): README.md, docs/, protocol/ and the other pages of the repository, with
 * their paths, so that relative links work on GitHub and on the site. `npm run docs` builds it into
 * docs/.vitepress/dist.
 *
 * The build needs no network, and neither does the site: search is local, fonts are part of the theme. A dead link
 * fails the build.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { headingSlug } from './heading-slug.js';

const ROOT = join(import.meta.dirname, '../..');

/** Pages of a folder as entries of the sidebar: `[text, path without .md]`. */
const entries = (pages: readonly (readonly [text: string, path: string])[]) =>
  pages.map(([text, path]) => ({ text, link: `/${path}` }));

/** The grammar that editors use. */
const agentfileGrammar = () => JSON.parse(readFileSync(join(ROOT, 'protocol/agentfile.tmLanguage.json'), 'utf8'));

/** Languages without highlighting: the output of `orchd workflow check`, and dumps of bytes. */
const plain = (name: string) => ({ name, scopeName: `text.${name}`, patterns: [], repository: {} });

/** Copies files to which pages link: schemas, grammars, recordings, the licence. */
function copyLinkedFiles(target: string): void {
  const names = readdirSync(join(ROOT, 'protocol'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((file) => /\.(json|ebnf)$/.test(file))) {
    mkdirSync(join(target, 'protocol', name, '..'), { recursive: true });
    cpSync(join(ROOT, 'protocol', name), join(target, 'protocol', name));
  }
  cpSync(join(ROOT, 'docs/recordings'), join(target, 'docs/recordings'), { recursive: true });
  cpSync(join(ROOT, 'LICENSE'), join(target, 'LICENSE'));
}

export default {
  title: 'orchd',
  description: 'A terminal multiplexer daemon for AI agents',
  srcDir: '..',
  srcExclude: ['{fixtures,src,dist,coverage,man}/**', 'test/!(bench)/**'],
  rewrites: { 'README.md': 'index.md' },
  lastUpdated: false,
  // Linked files that are not pages. test/docs/links.test.ts checks that they exist.
  ignoreDeadLinks: [/\/LICENSE$/, /\.(ebnf|cast)$/],
  markdown: {
    anchor: { slugify: headingSlug },
    languages: [{ ...agentfileGrammar(), name: 'agentfile' }, plain('problems'), plain('hex')],
  },
  buildEnd: ({ outDir }: { readonly outDir: string }) => copyLinkedFiles(outDir),
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/docs/guide/sessions' },
      { text: 'Reference', link: '/docs/reference/commands' },
      { text: 'Changes', link: '/CHANGELOG' },
    ],
    sidebar: [
      { text: 'Start', items: entries([['Five minutes', '']]) },
      {
        text: 'Guide',
        items: entries([
          ['Sessions', 'docs/guide/sessions'],
          ['TUI', 'docs/guide/tui'],
          ['Dashboard', 'docs/guide/web'],
          ['Agents', 'docs/guide/agents'],
          ['Inbox and answers', 'docs/guide/inbox'],
          ['Runs and blueprints', 'docs/guide/runs'],
          ['Agentfiles', 'docs/guide/agentfiles'],
          ['Tasks', 'docs/guide/tasks'],
          ['Tools and MCP', 'docs/guide/tools'],
          ['Notifications', 'docs/guide/notifications'],
          ['Recordings', 'docs/guide/recordings'],
          ['Your programs', 'docs/guide/programs'],
          ['Several machines', 'docs/guide/machines'],
          ['Operating a hub', 'docs/guide/hub'],
        ]),
      },
      {
        text: 'Reference',
        items: entries([
          ['Commands', 'docs/reference/commands'],
          ['Operations', 'docs/reference/operations'],
          ['Events', 'docs/reference/events'],
          ['Messages', 'docs/reference/messages'],
          ['Tools', 'docs/reference/tools'],
          ['Types', 'docs/reference/types'],
          ['Errors', 'docs/reference/errors'],
          ['Configuration', 'docs/reference/configuration'],
          ['Limits', 'docs/reference/limits'],
          ['Agentfile', 'protocol/agentfile'],
        ]),
      },
      {
        text: 'Concepts',
        items: entries([
          ['Words', 'docs/concepts/words'],
          ['How a message is found', 'docs/concepts/messages'],
          ['Why nothing is lost', 'docs/concepts/durability'],
          ['Trust', 'docs/concepts/trust'],
          ['Threat model', 'docs/security'],
        ]),
      },
      {
        text: 'Internals',
        collapsed: true,
        items: entries([
          ['Architecture', 'docs/internals/architecture'],
          ['The way of one byte', 'docs/internals/one-byte'],
          ['Identity of a message', 'protocol/identity'],
          ['Answers', 'protocol/answers'],
          ['Journal', 'protocol/journal'],
          ['Lifecycle', 'protocol/lifecycle'],
          ['Screen', 'protocol/screen'],
          ['Terminal stream', 'protocol/terminal-stream'],
          ['Export', 'protocol/export'],
          ['History', 'docs/internals/history'],
          ['Contributing', 'CONTRIBUTING'],
        ]),
      },
      {
        text: 'More',
        items: entries([
          ['Numbers', 'docs/numbers'],
          ['Benches', 'test/bench/README'],
          ['Tried on real programs', 'docs/agents'],
          ['Comparison', 'docs/comparison'],
          ['Changes', 'CHANGELOG'],
        ]),
      },
    ],
  },
};
