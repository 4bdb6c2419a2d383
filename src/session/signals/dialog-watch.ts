/**
 * Dialog watch: reports each dialog once, as an `attention` finding, although it is seen at many looks.
 *
 * A terminal is often read in the middle of a repaint: the dialog is half drawn, hidden for a frame, or something
 * similar is visible for a moment. A dialog therefore opens only after it was visible for STAND_MS, and ends only after
 * it was missing for STAND_MS. Two things shorten that: STAND_MS of silence, and an input that chooses in the dialog
 * (it then ends as soon as it is missing). Times are those of journal records and ticks, so that the same journal gives
 * the same findings.
 *
 * A hook may be answered before its dialog is drawn, or before the dialog has stood for STAND_MS. The agent then
 * removes the dialog. So a dialog that shows what a hook has asked opens only DECIDED_MS after the hook got its answer.
 *
 *     nothing ──seen──► candidate ──for STAND_MS──► open ──missing──► missing ──for STAND_MS──► nothing
 *        ▲                  │                        ▲                  │
 *        └─ missing a while ┘                        └──── seen again ──┘
 */
import type { AttentionFinding, AttentionOverFinding, Unplaced } from '../../ears/index.js';
import { canBeChosen, type Dialog, isExactDialog, isSameDialog } from '../adapters/index.js';
import type { HookAsk, HookAsks } from './hook-asks.js';

/** Time, or silence, after which a dialog counts as open or ended. Repaints take less. */
const STAND_MS = 400;
/** Maximum time for which a dialog stays visible after its hook was answered. A slow agent takes seconds. */
const DECIDED_MS = 5_000;
/** Maximum time for which a dialog stays visible after orchd has chosen in it. */
const AGAIN_MS = 2_000;

interface DialogWatchPorts {
  readonly tell: (finding: Unplaced<AttentionFinding | AttentionOverFinding>) => void;
  /** Time of the record that is being read, in milliseconds since the epoch. */
  readonly now: () => number;
  /** What hooks have asked. */
  readonly asks: HookAsks;
}

/** One look at the screen. */
interface DialogReading {
  readonly dialog: Dialog | null;
  /** Journal position of the look. */
  readonly position: number;
  /** Silence before this look, in milliseconds; 0 for a look while output arrives. */
  readonly quietMs: number;
  /** True if the previous look showed the same. */
  readonly isRepeated: boolean;
}

/** A dialog that was seen, but for less than STAND_MS. */
interface Candidate {
  readonly dialog: Dialog;
  /** Time and place at which it was first seen. */
  readonly time: number;
  readonly position: number;
  /** Time at which a look first showed something else; null while it is visible. */
  readonly missingSince: number | null;
  /** True if something was typed since it was first seen. Undefined stands for false. */
  readonly wasTyped?: boolean;
  /** True if that could have closed it. Undefined stands for false. */
  readonly wasChosen?: boolean;
}

interface Open {
  readonly dialog: Dialog;
  readonly missingSince: number | null;
  /** True if something was typed since it was first seen. */
  readonly wasTyped: boolean;
  /** True if that could have closed it: keys from orchd, or Enter. */
  readonly wasChosen: boolean;
  /** Time at which orchd pressed keys in the dialog; null if it has not. */
  readonly chosenAt: number | null;
}

export interface DialogWatchState {
  readonly candidate: Candidate | null;
  readonly open: Open | null;
  /** Set by earlier versions only. */
  readonly asks?: readonly HookAsk[];
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

  /** Returns the silence after which a look would open or end a dialog; null if none would. */
  wantsQuiet(): number | null {
    if (this.#candidate !== null && this.#open === null && this.#isDecided(this.#candidate.dialog)) return DECIDED_MS;
    if (this.#candidate !== null || (this.#open !== null && this.#open.missingSince !== null)) return STAND_MS;
    return this.#open !== null && this.#open.chosenAt !== null ? AGAIN_MS : null;
  }

  look(look: DialogReading): void {
    if (this.#open) this.#lookAtOpen(this.#open, look);
    if (this.#open === null) this.#lookForNew(look);
  }

  /** @param isOurs  True if orchd typed the text. If a dialog is open, orchd chose in it. */
  typed(isOurs: boolean, isChoice: boolean): void {
    if (!this.#open) {
      // The person sees the dialog before it counts as open.
      const candidate = this.#candidate;
      const wasChosen = candidate?.wasChosen === true || isChoice;
      if (candidate && !isOurs) this.#candidate = { ...candidate, wasTyped: true, wasChosen };
      return;
    }
    const { wasChosen, chosenAt } = this.#open;
    this.#open = {
      ...this.#open,
      wasTyped: true,
      wasChosen: wasChosen || isOurs || isChoice,
      chosenAt: isOurs ? this.#ports.now() : chosenAt,
    };
  }

  /** Called after a resize: the program draws the dialog again. */
  resized(): void {
    this.#candidate = null;
  }

  /** Called when the program stops painting. */
  close(): void {
    this.#candidate = null;
    this.#end(false);
  }

  #lookAtOpen(open: Open, { dialog, position, quietMs, isRepeated }: DialogReading): void {
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

  #lookForNew(look: DialogReading): void {
    this.#consider(look);
    const candidate = this.#candidate;
    if (!candidate || candidate.missingSince !== null || look.dialog === null) return;
    if (!hasStood(candidate.time, this.#ports.now(), look.quietMs)) return;
    if (look.quietMs < DECIDED_MS && this.#isDecided(look.dialog)) return;
    this.#begin({ ...candidate, dialog: look.dialog }, look.position);
  }

  /** True if the hook that asks the same as a dialog was answered a moment ago. */
  #isDecided({ text }: Dialog): boolean {
    const decidedAt = this.#ports.asks.decidedAt(text);
    return decidedAt !== null && this.#ports.now() - decidedAt < DECIDED_MS;
  }

  /** Keeps, replaces or drops the candidate. */
  #consider({ dialog, position, quietMs, isRepeated }: DialogReading): void {
    const now = this.#ports.now();
    const candidate = this.#candidate;
    if (candidate && dialog && isSameDialog(candidate.dialog, dialog)) {
      this.#candidate = { ...candidate, missingSince: null };
      return;
    }
    // A frame that may be incomplete does not replace the open dialog.
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

  #begin({ dialog, position: from, wasTyped = false, wasChosen = false }: Candidate, to: number): void {
    this.#candidate = null;
    this.#open = { dialog, missingSince: null, wasTyped, wasChosen, chosenAt: null };
    const origin = { ear: 'screen', from, to } as const;
    this.#ports.tell({ kind: 'attention', source: 'dialog', text: dialog.text, choices: dialog.choices, origin });
  }

  /**
   * Opens the dialog again if it is visible long after orchd chose in it: the keys had no effect, or the program asks
   * the same again.
   */
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

/** True if a reading shows the open dialog. */
function isStill({ dialog, wasChosen }: Open, seen: Dialog): boolean {
  // A dialog with readable choices replaces one without: a choice cannot be answered if it cannot be read.
  if (canBeChosen(seen) && !canBeChosen(dialog)) return false;
  // After a choice, the next dialog may differ from this one only by a number.
  return (wasChosen ? isExactDialog : isSameDialog)(dialog, seen);
}

function isAskedAgain({ chosenAt }: Open, now: number, quietMs: number): boolean {
  return chosenAt !== null && (quietMs >= AGAIN_MS || now - chosenAt >= AGAIN_MS);
}

const hasStood = (since: number, now: number, quietMs: number): boolean =>
  quietMs >= STAND_MS || now - since >= STAND_MS;
