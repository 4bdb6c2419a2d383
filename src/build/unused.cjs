// Stands for modules that the daemon's bundle does not contain: see tsdown.config.ts.
module.exports = {};
