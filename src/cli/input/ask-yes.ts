/** Asks a question on standard error that `y` or `yes` agrees to. Anything else, and Ctrl-C, does not. */
import { createInterface } from 'node:readline';

export function isYes(question: string, signal: AbortSignal): Promise<boolean> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    const end = (isAgreed: boolean): void => {
      resolve(isAgreed);
      reader.close(); // resolves once more, without effect
    };
    reader.once('close', () => resolve(false));
    reader.once('SIGINT', () => end(false));
    signal.addEventListener('abort', () => end(false), { once: true });
    reader.question(question, (answer) => end(/^y(es)?$/i.test(answer.trim())));
  });
}
