/** The locale of a terminal: orchd draws its own signs in ASCII where UTF-8 cannot be shown. */

/** True if the environment names a locale, and it is not UTF-8. Without a locale, the terminal is taken for UTF-8. */
export function isAsciiLocale(env: Readonly<Record<string, string | undefined>>): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return locale !== '' && !/utf-?8/i.test(locale);
}
