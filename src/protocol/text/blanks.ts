/** Returns the text without blanks, so that wraps, tabs and indentation make no difference. Pure. */
export const withoutBlanks = (text: string): string => text.replace(/\s+/g, '');
