/** Reads lines from standard input, one at a time. `suspend` releases the terminal to another reader. */
import { createInterface, type Interface } from 'node:readline';

export interface LineInput {
  /** Resolves with null at the end of the input. */
  next(): Promise<string | null>;
  /** Releases the input until `resume`. Lines that have already arrived are kept. */
  suspend(): void;
  resume(): void;
  close(): void;
}

export function createLineInput(stdin: NodeJS.ReadStream, signal: AbortSignal): LineInput {
  const lines: string[] = [];
  let isOver = signal.aborted;
  let reader: Interface | null = null;
  let wake: () => void = () => {};

  const end = (): void => {
    isOver = true;
    wake();
  };
  const suspend = (): void => {
    reader?.off('close', end);
    reader?.close();
    reader = null;
  };
  const resume = (): void => {
    reader = createInterface({ input: stdin, terminal: false });
    reader.on('line', (line) => {
      lines.push(line);
      wake();
    });
    reader.once('close', end);
  };
  signal.addEventListener('abort', end);
  resume();

  return {
    async next() {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) return line;
        if (isOver) return null;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    suspend,
    resume,
    close() {
      signal.removeEventListener('abort', end);
      suspend();
    },
  };
}
