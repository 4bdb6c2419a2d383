#!/usr/bin/env node
// CommonJS, as package.json beside it says: Node starts sooner with it. A command that is called all day has a bundle of its own.
const { existsSync } = require('node:fs');
const file = `${__dirname}/../dist/quick-${process.argv[2]}.cjs`;
const isQuick = /^[a-z]+$/.test(process.argv[2] ?? '') && existsSync(file);
if (!isQuick || !require(file).takeCommand()) void import('../dist/cli.js');
