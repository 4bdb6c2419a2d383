/** The version of this orchd: package.json's, which a test compares. */
export const VERSION = '0.1.0';
