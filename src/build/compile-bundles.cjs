/**
 * Compiles CommonJS bundles: `node FLAGS compile-bundles.cjs FILE…`, with the flags with which the bundles run. Writes
 * the code of each beside it, where bin/load-bundle.js finds it, and removes the code of earlier builds.
 */
const { readdirSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { compiledFile, scriptOf } = require('../../bin/load-bundle.js');

for (const file of process.argv.slice(2)) {
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(`${basename(file)}.`)) rmSync(join(dirname(file), name));
  writeFileSync(compiledFile(file), scriptOf(file).createCachedData());
}
