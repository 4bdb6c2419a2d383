/** The site of the documentation; src/build/site.ts describes it. Built by `npm run docs`. */
export { default } from '../../src/build/site.js';
