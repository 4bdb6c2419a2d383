#!/usr/bin/env node
// CommonJS, as package.json beside it says: Node starts sooner with it.
if (!require('../dist/quick.cjs').takeCommand()) void import('../dist/cli.js');
