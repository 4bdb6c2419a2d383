/**
 * Stores the code of a program's bundles again when it exits: `node --require store-code.cjs PROGRAM`. V8 compiles most
 * functions at their first call, so the stored code then has the functions that the program has called.
 */
const { renameSync, writeFileSync } = require('node:fs');
const { compiledFile, modules } = require('../../bin/load-bundle.js');

process.on('exit', () => {
  for (const [file, { script }] of modules) {
    const part = `${compiledFile(file)}.${process.pid}`;
    writeFileSync(part, script.createCachedData());
    renameSync(part, compiledFile(file));
  }
});
