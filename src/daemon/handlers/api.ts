/** Handler of `api.openapi`: returns the generated OpenAPI document with the version of this daemon. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../protocol/index.js';
import type { Handlers } from './handler.js';

/** The path works in a checkout and in a package, because protocol/ is next to dist/ in both. */
const FILE = join(import.meta.dirname, '../protocol/openapi.json');

export const apiHandlers = {
  'api.openapi': async () => {
    const document = JSON.parse(readFileSync(FILE, 'utf8'));
    return { ...document, info: { ...document.info, version: VERSION } };
  },
} satisfies Partial<Handlers>;
