/** The Agentfile that is being written, kept in the tab until it runs. */
const KEY = 'orchd.agentfile';

export const readDraft = (): string => sessionStorage.getItem(KEY) ?? '';

export function keepDraft(text: string): void {
  if (text === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, text);
}
