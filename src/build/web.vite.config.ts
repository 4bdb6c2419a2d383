/** The build of the dashboard: src/web to dist/web, with a gzip file beside each file that compresses well. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const ROOT = join(import.meta.dirname, '../..');
const OUT = join(ROOT, 'dist/web');
const PACKED = /\.(js|css|html|svg|webmanifest)$/;

/** The daemon serves the compressed files, so it does not have to compress anything itself. */
const gzipFiles: Plugin = {
  name: 'gzip-files',
  async closeBundle() {
    for (const entry of await readdir(OUT, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !PACKED.test(entry.name)) continue;
      const file = join(entry.parentPath, entry.name);
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
    }
  },
};

export default defineConfig({
  root: join(ROOT, 'src/web'),
  base: '/ui/',
  logLevel: 'error',
  build: { outDir: OUT, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 1000, modulePreload: false },
  plugins: [gzipFiles],
});
