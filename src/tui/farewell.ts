/** The text that the TUI leaves on the terminal when it closes. Pure. */
import { isAlive, type Model, openItems } from './model/model.js';

/**
 * Returns the text to print after the TUI has closed: what goes on, and how to return.
 * @param orchd  The command, as the person's shell finds it.
 */
export function farewell(model: Model, orchd: string): string {
  const living = model.sessions.filter(isAlive).length;
  const open = openItems(model).length;
  const go = living === 1 ? 'goes on' : 'go on';
  const sessions = living === 0 ? 'The daemon goes on' : `${living} session${living === 1 ? '' : 's'} ${go}`;
  const waiting = open === 0 ? '' : ` (${open} open)`;
  return `${sessions}${waiting}; \`${orchd} start\` returns, \`${orchd} stop\` ends all.`;
}
