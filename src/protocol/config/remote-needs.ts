/** The words of the setting `hub.accept`, a list with commas: the operations that other machines may call here. */

const REMOTE_NEEDS = ['read', 'answer', 'type', 'start'] as const;
export type RemoteNeed = (typeof REMOTE_NEEDS)[number];

const wordsOf = (list: string): readonly string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** Returns the known words of the setting, in the order of REMOTE_NEEDS. Unknown words are ignored. */
export const acceptedNeeds = (accept: string): readonly RemoteNeed[] =>
  REMOTE_NEEDS.filter((need) => wordsOf(accept).includes(need));

/** Returns a description of valid values if the value is invalid; null if it is valid. */
export const checkAccept = (accept: string): string | null =>
  wordsOf(accept).every((word) => REMOTE_NEEDS.some((need) => need === word))
    ? null
    : `words of ${REMOTE_NEEDS.join(', ')}`;
