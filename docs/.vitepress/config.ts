/** The site of the documentation; src/build/site.ts describes it. Built by `npm run docs`. */
import { defineConfig } from 'vitepress';
import site from '../../src/build/site.js';

export default defineConfig(site);
