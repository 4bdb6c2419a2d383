/**
 * Compiles CommonJS bundles: `node FLAGS compile-bundles.cjs FILE…`, with the flags with which the bundles run. Writes
 * the code of each beside it, where bin/load-bundle.js finds it, and removes the code of earlier builds.
 *
 * The bundles become ASCII before: a text with one other character takes twice the memory, and has to be decoded.
 */
const { readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { compiledFile, scriptOf } = require('../../bin/load-bundle.js');

/** Text in which an escape has another meaning than the character: behind a backslash, or in a raw template. */
const NOT_TO_ESCAPE = /\\[^\x00-\x7f]|raw`[^`]*[^\x00-\x7f`]/;

function toAscii(file) {
  const text = readFileSync(file, 'utf8');
  if (NOT_TO_ESCAPE.test(text)) throw new Error(`${file} has a character that cannot be escaped`);
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

for (const file of process.argv.slice(2)) {
  writeFileSync(file, toAscii(file));
  for (const name of readdirSync(dirname(file)))
    if (name.startsWith(`${basename(file)}.`)) rmSync(join(dirname(file), name));
  writeFileSync(compiledFile(file), scriptOf(file).createCachedData());
}
