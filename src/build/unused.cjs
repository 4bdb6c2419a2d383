// Stands for modules that are left out of a bundle: see tsdown.config.ts and quick-bundles.ts.
module.exports = {};
