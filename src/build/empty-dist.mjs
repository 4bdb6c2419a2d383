/**
 * Deletes earlier builds before `npm pack` makes a new one: their files have other names, and would be packed, too. The
 * cache of the type checker stays.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const dist = join(import.meta.dirname, '../../dist');
mkdirSync(dist, { recursive: true });
for (const name of readdirSync(dist)) if (name !== 'types') rmSync(join(dist, name), { recursive: true });
