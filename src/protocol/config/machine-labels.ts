/** The labels of a machine: the setting `hub.labels`, a list with commas. */

const LABEL = /^[A-Za-z0-9]\w{0,62}(?:-+\w+)*$/;
const MAX_CHARS = 63;

/** True for a valid label of a machine. */
export const isLabelName = (label: string): boolean => label.length <= MAX_CHARS && LABEL.test(label);

/** Returns the labels in a list with commas, each once. */
export const labelsOf = (list: string): readonly string[] => [
  ...new Set(
    list
      .split(',')
      .map((word) => word.trim())
      .filter(Boolean),
  ),
];

/** Returns a description of valid values if the value is invalid; null if it is valid. */
export const checkLabels = (list: string): string | null =>
  labelsOf(list).every(isLabelName) ? null : 'names of letters, digits, _ and - with commas, such as gpu, big-disk';

const WAITING = 'label:';

/**
 * Returns where a run is placed, in words.
 *
 * @param place  A machine of the hub, or `label:gpu` while no machine with this label has taken the run.
 */
export const placeWords = (place: string): string =>
  place.startsWith(WAITING) ? `waits for a machine with ${place}` : `on ${place}`;
