/** The version of this orchd: package.json's, which a test compares. */
export const VERSION = '0.1.0';

/** Replaced by the bundler with the commit of the build (src/build/commit.ts). */
declare const __ORCHD_COMMIT__: string | null;
/**
 * The commit that this orchd was built from, with `+` if files differed from it. Null if it is not known, for example
 * if orchd runs from its source.
 */
export const COMMIT: string | null = typeof __ORCHD_COMMIT__ === 'undefined' ? null : __ORCHD_COMMIT__;
