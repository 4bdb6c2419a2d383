/**
 * Loads CommonJS bundles and the chunks that they require, with the code that V8 compiled when they were built
 * (compile-bundles.cjs and rehearse.ts in src/build). Preparing the code anew would be a third of the time in which a
 * daemon starts.
 *
 * V8 takes such code only from the same version, which is in the name of the file, with the same flags. Otherwise it
 * compiles the source.
 */
const { readFileSync } = require('node:fs');
const { dirname, join, normalize } = require('node:path');
const { Script } = require('node:vm');

/** The loaded bundles by their files: their exports, and the script that made them. */
const modules = new Map();

/** Returns the exports of a bundle, which is evaluated once: a chunk may require the bundle that has loaded it. */
function loadBundle(path) {
  const file = normalize(path);
  const known = modules.get(file);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(file, module);
  const directory = dirname(file);
  const requireFrom = (name) => (name.startsWith('./') ? loadBundle(join(directory, name)) : require(name));
  try {
    module.script = scriptOf(file, readCompiled(file));
    module.script.runInThisContext()(module.exports, requireFrom, module, file, directory);
  } catch (error) {
    modules.delete(file); // with EMFILE, for example, the next attempt may succeed
    throw error;
  }
  return module.exports;
}

/** The function in which Node evaluates a CommonJS module. */
const [HEAD, TAIL] = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'].map((text) =>
  Buffer.from(text),
);

/** The build writes bundles in ASCII. V8 then has one byte for each character, and the text is made only once. */
function scriptOf(filename, cachedData) {
  const source = Buffer.concat([HEAD, readFileSync(filename), TAIL]).toString('latin1');
  return new Script(source, { filename, cachedData });
}

function readCompiled(file) {
  try {
    return readFileSync(compiledFile(file));
  } catch {
    return undefined;
  }
}

/** Returns the path of the compiled code of a bundle for this processor and V8. */
const compiledFile = (file) => `${file}.${process.arch}-${process.versions.v8}`;

module.exports = { loadBundle, scriptOf, compiledFile, modules };
