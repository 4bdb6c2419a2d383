/**
 * The anchor of a heading, as GitHub makes it. The site and the test of links use it too, so that links work in both.
 */

/** @param heading The plain text of the heading. */
export const headingSlug = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
