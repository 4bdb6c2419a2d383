/**
 * Signals: what a look at an agent's screen says of it. Pure; the adapter knows what to look for.
 *
 * A dialog stands where the composer was: while a composer is visible, what looks like a dialog is the agent's words.
 */
import type { Dialog, ScreenView, Signals } from '../adapters/index.js';

export interface Reading {
  /** Input counts: the composer is drawn, and nothing stands over it. */
  readonly isReady: boolean;
  /** Null where nothing says so: while it starts, and behind a dialog. */
  readonly activity: 'busy' | 'idle' | null;
  /** Source of the activity. */
  readonly source: 'title' | 'screen';
  /** The row that says `busy`; null if none does, or the title says it. */
  readonly busyRow: string | null;
  /** '' if it is empty; null if no composer is visible. */
  readonly composer: string | null;
  readonly dialog: Dialog | null;
}

export function readSignals(signals: Signals, view: ScreenView): Reading {
  const { busy, ready } = signals;
  const composer = signals.composer(view);
  const dialog = composer === null ? signals.dialog(view) : null;
  const isReady = composer !== null && view.rows.some(({ text }) => ready.test(text));
  const isTitleBusy = busy.title?.test(view.title) ?? false;
  const { row } = busy;
  const busyRow = isTitleBusy || row === null ? null : (view.rows.find(({ text }) => row.test(text))?.text ?? null);
  const isRowBusy = busyRow !== null;
  const isTold = isTitleBusy || (!isRowBusy && busy.title !== null && view.title !== '');
  const activity = dialog ? null : isTitleBusy || isRowBusy ? 'busy' : isReady ? 'idle' : null;
  return { isReady, activity, source: isTold ? 'title' : 'screen', busyRow, composer, dialog };
}
