/**
 * Dialog watch: turns what each look at the screen shows into one `attention` finding per dialog.
 *
 * A terminal is often read in the middle of a repaint: the dialog is half drawn, hidden for a frame, or something that
 * looks like one shows through. So a dialog opens only after it has stood for STAND_MS, and it is over only after it
 * was missing for STAND_MS. Two things shorten that: STAND_MS of silence, and an input that chooses in the dialog (it
 * is over as soon as it is gone). Times are those of journal records and ticks, so that the same journal gives the same
 * findings.
 *
 *     nothing ──seen──► candidate ──stood──► open ──missing──► missing ──for STAND_MS──► nothing
 *                           ▲                  ▲                  │
 *                           └─ missing a while └──── seen again ──┘
 */
import type { AttentionFinding, AttentionOverFinding } from '../../ears/index.js';
import { canBeChosen, type Dialog, isExactDialog, isSameDialog } from '../adapters/index.js';

/** A dialog stands, or is gone, after this time, or after this much silence. Repaints take less. */
const STAND_MS = 400;
/** A dialog is gone sooner than this after orchd has chosen in it. */
const AGAIN_MS = 2_000;

type Untimed<F> = Omit<F, 'at' | 'time'>;

interface DialogWatchPorts {
  readonly tell: (finding: Untimed<AttentionFinding> | Untimed<AttentionOverFinding>) => void;
  /** Time of the record that is being read, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** One look at the screen. */
interface DialogLook {
  readonly dialog: Dialog | null;
  /** Place in the output. */
  readonly position: number;
  /** Silence before this look, in milliseconds; 0 for a look while output arrives. */
  readonly quietMs: number;
  /** The look before this one showed the same. */
  readonly isRepeated: boolean;
}

/** A dialog that was seen and has not stood for STAND_MS yet. */
interface Candidate {
  readonly dialog: Dialog;
  /** When and where it was seen first. */
  readonly time: number;
  readonly position: number;
  /** When a look first showed something else; null while it is visible. */
  readonly missingSince: number | null;
}

interface Open {
  readonly dialog: Dialog;
  readonly missingSince: number | null;
  /** Something was typed since it opened. */
  readonly wasTyped: boolean;
  /** That could have closed it: keys from orchd, or Enter. */
  readonly wasChosen: boolean;
  /** When orchd pressed keys in it; null if it has not. */
  readonly chosenAt: number | null;
}

export interface DialogWatchState {
  readonly candidate: Candidate | null;
  readonly open: Open | null;
}

export class DialogWatch {
  readonly #ports: DialogWatchPorts;
  #candidate: Candidate | null;
  #open: Open | null;

  constructor(ports: DialogWatchPorts, state?: DialogWatchState) {
    this.#ports = ports;
    this.#candidate = state?.candidate ?? null;
    this.#open = state?.open ?? null;
  }

  state(): DialogWatchState {
    return { candidate: this.#candidate, open: this.#open };
  }

  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** The silence after which a look would open or end a dialog; null if none would. */
  wantsQuiet(): number | null {
    if (this.#candidate !== null || (this.#open !== null && this.#open.missingSince !== null)) return STAND_MS;
    return this.#open !== null && this.#open.chosenAt !== null ? AGAIN_MS : null;
  }

  look(look: DialogLook): void {
    if (this.#open) this.#lookAtOpen(this.#open, look);
    if (this.#open === null) this.#lookForNew(look);
  }

  /** @param isOurs  orchd typed it: if a dialog is open, to choose in it. */
  typed(isOurs: boolean, isChoice: boolean): void {
    if (!this.#open) return;
    const { wasChosen, chosenAt } = this.#open;
    this.#open = {
      ...this.#open,
      wasTyped: true,
      wasChosen: wasChosen || isOurs || isChoice,
      chosenAt: isOurs ? this.#ports.now() : chosenAt,
    };
  }

  /** A half-drawn picture is drawn again. */
  resized(): void {
    this.#candidate = null;
  }

  /** The program paints no more. */
  close(): void {
    this.#candidate = null;
    this.#end(false);
  }

  #lookAtOpen(open: Open, { dialog, position, quietMs, isRepeated }: DialogLook): void {
    const now = this.#ports.now();
    if (dialog !== null && isStill(open, dialog)) {
      this.#open = { ...open, missingSince: null };
      this.#candidate = null;
      if (isAskedAgain(open, now, quietMs)) this.#askAgain({ dialog, time: now, position, missingSince: null });
      return;
    }
    const missingSince = open.missingSince ?? now;
    this.#open = { ...open, missingSince };
    const isGone = hasStood(missingSince, now, quietMs) || (open.wasChosen && (quietMs > 0 || isRepeated));
    this.#consider({ dialog, position, quietMs, isRepeated });
    if (isGone) this.#end(false);
  }

  #lookForNew(look: DialogLook): void {
    this.#consider(look);
    const candidate = this.#candidate;
    if (!candidate || candidate.missingSince !== null || look.dialog === null) return;
    if (!hasStood(candidate.time, this.#ports.now(), look.quietMs)) return;
    this.#begin({ ...candidate, dialog: look.dialog }, look.position);
  }

  /** Keeps, replaces or forgets the candidate. */
  #consider({ dialog, position, quietMs, isRepeated }: DialogLook): void {
    const now = this.#ports.now();
    const candidate = this.#candidate;
    if (candidate && dialog && isSameDialog(candidate.dialog, dialog)) {
      this.#candidate = { ...candidate, missingSince: null };
      return;
    }
    // A picture in the middle of a repaint replaces nothing.
    const isFleeting = quietMs === 0 && !isRepeated;
    const missingSince = candidate?.missingSince ?? now;
    if (candidate && isFleeting && !hasStood(missingSince, now, quietMs)) {
      this.#candidate = { ...candidate, missingSince };
      return;
    }
    if (dialog) this.#candidate = { dialog, time: now, position, missingSince: null };
    else if (candidate) {
      this.#candidate = hasStood(missingSince, now, quietMs) ? null : { ...candidate, missingSince };
    }
  }

  #begin({ dialog, position: from }: Candidate, to: number): void {
    this.#candidate = null;
    this.#open = { dialog, missingSince: null, wasTyped: false, wasChosen: false, chosenAt: null };
    const origin = { ear: 'screen', from, to } as const;
    this.#ports.tell({ kind: 'attention', source: 'dialog', text: dialog.text, choices: dialog.choices, origin });
  }

  /** It still stands long after orchd chose in it: the keys did nothing, or the program asks the same once more. */
  #askAgain(candidate: Candidate): void {
    this.#end(true);
    this.#begin(candidate, candidate.position);
  }

  #end(isAgain: boolean): void {
    if (!this.#open) return;
    const { wasTyped } = this.#open;
    this.#open = null;
    const over = { kind: 'attention_over', source: 'dialog', wasTyped } as const;
    this.#ports.tell(isAgain ? { ...over, isAgain } : over);
  }
}

/** True if a picture shows the open dialog. */
function isStill({ dialog, wasChosen }: Open, seen: Dialog): boolean {
  // An item without choices would hide those that can be read now.
  if (canBeChosen(seen) && !canBeChosen(dialog)) return false;
  // After a choice the next dialog may differ from this one by a number only.
  return (wasChosen ? isExactDialog : isSameDialog)(dialog, seen);
}

function isAskedAgain({ chosenAt }: Open, now: number, quietMs: number): boolean {
  return chosenAt !== null && (quietMs >= AGAIN_MS || now - chosenAt >= AGAIN_MS);
}

const hasStood = (since: number, now: number, quietMs: number): boolean =>
  quietMs >= STAND_MS || now - since >= STAND_MS;
