import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Handlers } from './context.js';

/** Beside dist/, in a checkout and in a package. */
const FILE = join(import.meta.dirname, '../protocol/openapi.json');

export const apiHandlers = {
  'api.openapi': async (house) => {
    const document = JSON.parse(readFileSync(FILE, 'utf8'));
    return { ...document, info: { ...document.info, version: house.version } };
  },
} satisfies Partial<Handlers>;
