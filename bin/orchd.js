#!/usr/bin/env node
// CommonJS, as package.json beside it says: Node starts sooner with it. Most commands have a bundle of their own.
const { existsSync } = require('node:fs');
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `orchd needs Node 20.19 or newer, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      'Install Node 24, for example with `nvm install 24`, or from https://nodejs.org.\n',
  );
  process.exit(1);
}
const given = process.argv[2] ?? '';
const word = given === '--version' || given === '-V' ? 'version' : given;
const file = `${__dirname}/../dist/quick-${word}.cjs`;
const failLoading = (error) => {
  if (error.code !== 'EMFILE' && error.code !== 'ENFILE') throw error;
  process.stderr.write('orchd: too many files are open to load it\n  Raise the limit: `ulimit -n 1024`.\n');
  process.exit(1);
};
try {
  if (/^[a-z_]+$/.test(word) && existsSync(file)) require('./load-bundle.js').loadBundle(file);
  else import('../dist/cli.js').catch(failLoading);
} catch (error) {
  failLoading(error);
}
