import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../protocol/index.js';
import type { Handlers } from './handler.js';

/** Beside dist/, in a checkout and in a package. */
const FILE = join(import.meta.dirname, '../protocol/openapi.json');

export const apiHandlers = {
  'api.openapi': async () => {
    const document = JSON.parse(readFileSync(FILE, 'utf8'));
    return { ...document, info: { ...document.info, version: VERSION } };
  },
} satisfies Partial<Handlers>;
