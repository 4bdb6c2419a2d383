/** Returns a text as one word of a shell command, in quotes if it needs them. */
export const shellWord = (text: string): string =>
  /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
