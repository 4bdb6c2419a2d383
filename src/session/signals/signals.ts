/**
 * Signals: reads an agent's state from its screen, by the patterns of its adapter. Pure.
 *
 * A dialog takes the place of the composer: while a composer is visible, text that looks like a dialog is the agent's
 * words.
 */
import type { Dialog, ScreenView, Signals } from '../adapters/index.js';

export interface Reading {
  /** True if input is accepted: the composer is drawn and visible. */
  readonly isReady: boolean;
  /** Null if neither the screen nor the title shows the activity: during the start, and behind a dialog. */
  readonly activity: 'busy' | 'idle' | null;
  /** Source of the activity. */
  readonly source: 'title' | 'screen';
  /** The row that shows `busy`; null if no row does, or if the title shows it. */
  readonly busyRow: string | null;
  /** The text in the composer: '' if it is empty, null if no composer is visible. */
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
