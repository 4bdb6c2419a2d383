/** Dialog keys: the keys that choose an option in an open dialog, and how they are pressed. */
import type { WriteStep } from '../../host/index.js';
import { isSameDialog } from '../../session/adapters/index.js';
import type { SessionEntry } from '../registry/index.js';

export interface Choice {
  /**
   * The index of the option in `labels`. Its keys are determined when they are pressed, because the pointer may have
   * moved.
   */
  readonly index: number;
  readonly labels: readonly string[];
}

/** Pause between two keys. */
const BETWEEN_MS = 150;

/** Returns the keys that choose the option from the pointer's current position; null if that dialog is not open. */
export function keysNow(entry: SessionEntry, text: string, { index, labels }: Choice): string | null {
  const dialog = entry.hearing?.signal()?.dialog;
  const asked = { text, choices: labels.map((label) => ({ label, keys: null })) };
  return (dialog && isSameDialog(dialog, asked) && dialog.choices[index]?.keys) || null;
}

/** Puts each key into its own write, as a person presses them: several at once look like a paste. */
export function keySteps(keys: string): WriteStep[] {
  const each = keys.match(/\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|[\s\S]/g) ?? [];
  return each.flatMap((text, at): WriteStep[] => (at === 0 ? [{ text }] : [{ settleMs: BETWEEN_MS }, { text }]));
}
