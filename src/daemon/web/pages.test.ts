/** Tests the files of the dashboard: which are served, and that a new build is served without a restart. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { servePages } from './pages.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'orchd-pages-'));
  mkdirSync(join(folder, 'assets'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function build(name: string, at: number): void {
  rmSync(join(folder, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', name), `// ${name}`);
  writeFileSync(join(folder, 'index.html'), `<script src="assets/${name}">`);
  utimesSync(join(folder, 'index.html'), at, at);
}

const open = () => {
  const app = fastify();
  servePages(app, folder);
  const get = async (path: string) => {
    const { statusCode, body } = await app.inject(`/ui/${path}`);
    return { statusCode, body };
  };
  return { app, get };
};

test('a path that is no file returns the page, and a missing asset returns an error', async () => {
  build('one.js', 1);
  const { app, get } = open();
  expect(await get('sessions/ses_1')).toEqual({ statusCode: 200, body: '<script src="assets/one.js">' });
  expect(await get('assets/one.js')).toEqual({ statusCode: 200, body: '// one.js' });
  expect(await get('assets/..%2findex.html')).toMatchObject({ statusCode: 500 });
  expect(await get('assets/other.js')).toMatchObject({ statusCode: 500 }); // The server of the daemon makes it a 404.
  await app.close();
});

test('a page that was built again is served with its new files', async () => {
  build('one.js', 1);
  const { app, get } = open();
  expect((await get('')).body).toContain('one.js');
  build('two.js', 2);
  expect((await get('')).body).toContain('two.js');
  expect(await get('assets/two.js')).toEqual({ statusCode: 200, body: '// two.js' });
  expect((await get('assets/one.js')).statusCode).toBe(500);
  await app.close();
});
