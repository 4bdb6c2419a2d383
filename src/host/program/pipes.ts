/**
 * One program on pipes: starts it in a process group and a session of its own, reads both its outputs without loss,
 * gives it its input, and reports how it ended.
 *
 * Out:  standard output in the form of a terminal (line-feeds.ts); standard error as text (error-text.ts).
 *
 * The host itself holds the program's sides of the pipes that it reads, as it does with terminals (output-end.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, writeSync } from 'node:fs';
import { OrchdError } from '../../protocol/errors.js';
import type { SpawnRequest } from '../contract.js';
import { ErrorText } from './error-text.js';
import { closePipe, openPipes, type PipeSides } from './fifos.js';
import { LineFeeds, MAX_PIPE_CHUNK_BYTES } from './line-feeds.js';
import { OutputEnd } from './output-end.js';
import { checkSpawnable, isAgain, type Program, type ProgramHandlers } from './program.js';

interface PipesHandlers extends ProgramHandlers {
  /**
   * Called with standard error.
   * @param dropped Number of bytes before it that are not kept.
   */
  onErrorText(text: string, dropped: number): void;
}

export class Pipes implements Program {
  readonly pid: number;
  readonly path = null;
  /** Descriptor of the program's standard input. -1 once it is closed. */
  #input: number;
  readonly #output: OutputEnd;
  readonly #errors: OutputEnd;
  readonly #errorText: ErrorText;

  /** @throws {OrchdError} ORCHD_SPAWN_FAILED */
  constructor(request: SpawnRequest, handlers: PipesHandlers) {
    const { file, cwd, stdin } = request;
    checkSpawnable(file, cwd);
    const fail = (cause?: unknown) => {
      const why = cause === undefined ? '' : `: ${String(cause)}`;
      return new OrchdError('ORCHD_SPAWN_FAILED', `${file} could not be started${why}`, { file, cwd }, cause);
    };
    let pipes: PipeSides[];
    try {
      pipes = openPipes(stdin === undefined ? ['read', 'read'] : ['read', 'read', 'write']);
    } catch (cause) {
      throw fail(cause);
    }
    const [output, errors, input] = pipes as [PipeSides, PipeSides, PipeSides?]; // as many as were asked for
    let child: ChildProcess;
    try {
      child = start(request, [input?.read ?? 'ignore', output.write, errors.write]);
      if (child.pid === undefined) throw new Error('the system refuses');
    } catch (cause) {
      for (const pipe of pipes) closePipe(pipe);
      throw fail(cause);
    }
    this.pid = child.pid;
    if (input) closeSync(input.read);
    this.#input = input?.write ?? -1;
    child.once('exit', (exitCode, signal) => handlers.onExit({ exitCode, signal }));
    const feeds = new LineFeeds();
    this.#output = openEnd(output, (bytes) => handlers.onBytes(feeds.push(bytes)));
    this.#errorText = new ErrorText((text, dropped) => handlers.onErrorText(text, dropped));
    this.#errors = openEnd(errors, (bytes) => this.#errorText.push(bytes));
  }

  resume(): void {
    this.#output.resume();
    this.#errors.resume();
  }

  pause(): void {
    this.#output.pause();
    this.#errors.pause();
  }

  /** Reads standard error, too, but counts only standard output. */
  poll(): number {
    this.#errors.poll();
    return this.#output.poll();
  }

  write(bytes: Uint8Array): number {
    if (this.#input < 0) return -1;
    try {
      return writeSync(this.#input, bytes);
    } catch (cause) {
      if (isAgain(cause)) return 0;
      this.endInput(); // the program has closed its end
      return -1;
    }
  }

  endInput(): void {
    if (this.#input >= 0) closeSync(this.#input);
    this.#input = -1;
  }

  resize(): void {
    // A program on pipes has no terminal size.
  }

  async drain(): Promise<void> {
    await this.#output.drain();
    await this.#errors.drain();
    this.#errorText.end();
  }

  async close(): Promise<boolean> {
    this.endInput();
    const held = [await this.#output.close(), await this.#errors.close()];
    return held.includes(true);
  }
}

const openEnd = ({ read, write }: PipeSides, onBytes: (bytes: Buffer) => void): OutputEnd =>
  new OutputEnd({ fd: read, holder: write, kind: 'pipe', chunkBytes: MAX_PIPE_CHUNK_BYTES, onBytes });

/** Without argv0, the program sees its file as its name, as in a terminal. */
function start({ file, argv, cwd, env, umask }: SpawnRequest, stdio: (number | 'ignore')[]): ChildProcess {
  const before = process.umask(umask);
  try {
    const child = spawn(file, argv.slice(1), { cwd, env, stdio, detached: true });
    child.on('error', () => {}); // one that did not start has no pid, and that is told
    return child;
  } finally {
    process.umask(before);
  }
}
