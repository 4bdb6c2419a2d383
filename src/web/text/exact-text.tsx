/**
 * A block of untrusted text, such as the output of a program, in a region that scrolls. Control sequences
 * and hidden characters are removed.
 */
import { displayText } from '../../protocol/index.js';
import { ScrollRegion } from '../parts/scroll-region.js';

/** A longer text is cut; the command that shows it has all of it. */
const MAX_CHARS = 50_000;

/** A text as its program wrote it, in which nothing is hidden. */
export function ExactText({ text, label }: { readonly text: string; readonly label: string }) {
  const cut = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
  return (
    <ScrollRegion className="block" label={label}>
      <pre>{displayText(cut)}</pre>
    </ScrollRegion>
  );
}
