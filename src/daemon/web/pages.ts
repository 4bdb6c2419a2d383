/**
 * Serves the built dashboard under /ui/. Its files are public: all that they show comes from the API, with a token.
 * Every path that is not a file returns the page, which reads the path in the browser.
 */
import { existsSync, readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OrchdError, WEB_PATH } from '../../protocol/index.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

/** xterm.js and Radix set inline styles. Only the daemon's own files may be loaded, run or connected to. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
} as const;

/** The folder of files with a hash in their names, which browsers may cache for ever. */
const LASTING = 'assets/';

/** The folder of the built dashboard: beside the bundle of the daemon, or in dist when it runs from source. */
export function findPages(moduleDir: string): string | null {
  const places = [join(moduleDir, 'web'), join(moduleDir, '../../../dist/web')];
  return places.find((place) => existsSync(join(place, 'index.html'))) ?? null;
}

/**
 * Returns the path of the page for a path below it that is no encoding, such as `/ui/%`: the page then says that
 * nothing is there. Returns other request targets as they are.
 */
export function readableTarget(target: string): string {
  if (!target.startsWith(WEB_PATH)) return target;
  try {
    decodeURIComponent(target.replace(/\?.*$/s, ''));
    return target;
  } catch {
    return WEB_PATH;
  }
}

/** @param folder  Null if this orchd was built without the dashboard. */
export function servePages(app: FastifyInstance, folder: string | null): void {
  app.get(WEB_PATH.slice(0, -1), (_request, reply) => reply.redirect(WEB_PATH));
  const files = folder === null ? null : new PageFiles(folder);
  app.get(`${WEB_PATH}*`, (request, reply) => sendPage(files, request, reply));
}

/**
 * The names of the files. They are listed, so that a request cannot name any other file, and listed again when an
 * upgrade or a build has replaced the page: its files have new names.
 */
class PageFiles {
  #names: ReadonlySet<string> = new Set();
  #listedAt = Number.NaN;
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  async current(): Promise<ReadonlySet<string>> {
    const { mtimeMs } = await stat(join(this.folder, 'index.html'));
    if (mtimeMs !== this.#listedAt) {
      this.#names = new Set(listed(this.folder));
      this.#listedAt = mtimeMs;
    }
    return this.#names;
  }
}

const listed = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );

async function sendPage(pages: PageFiles | null, request: FastifyRequest, reply: FastifyReply) {
  reply.headers(PAGE_HEADERS);
  if (pages === null) throw new OrchdError('ORCHD_NOT_FOUND', 'this orchd was built without the dashboard');
  const { folder } = pages;
  const files = await pages.current();
  const asked = (request.params as { '*': string })['*'];
  if (asked.startsWith(LASTING) && !files.has(asked))
    throw new OrchdError('ORCHD_NOT_FOUND', `no file ${asked}: orchd was upgraded, so load the page again`);
  const name = files.has(asked) ? asked : 'index.html';
  const isPacked = files.has(`${name}.gz`) && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (isPacked) reply.header('content-encoding', 'gzip');
  return reply
    .header('content-type', TYPES[extname(name)] ?? 'application/octet-stream')
    .header('cache-control', name.startsWith(LASTING) ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('vary', 'accept-encoding')
    .send(await readFile(join(folder, isPacked ? `${name}.gz` : name)));
}
