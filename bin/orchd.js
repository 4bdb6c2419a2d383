#!/usr/bin/env node
// CommonJS, as package.json beside it says: Node starts sooner with it. A frequent command has a bundle of its own.
const { existsSync } = require('node:fs');
const given = process.argv[2] ?? '';
const word = given === '--version' || given === '-V' ? 'version' : given;
const file = `${__dirname}/../dist/quick-${word}.cjs`;
if (/^[a-z]+$/.test(word) && existsSync(file)) require(file);
else void import('../dist/cli.js');
