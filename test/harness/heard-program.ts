/** A program that a test plays against the hearing: what it prints, what is typed into it, and what is found. */
import type { Finding } from '../../src/ears/index.js';
import { createHearing } from '../../src/session/hearing/session-hearing.js';
import { createRecorder, type Happening } from '../../src/session/recordings/made-journal.js';

type Hearing = ReturnType<typeof createHearing>;

interface HeardProgramOptions {
  readonly command?: readonly string[];
  readonly cols?: number;
  readonly rows?: number;
  /** Returns the state from which hearing starts again after each record; null to go on. By default it always goes on. */
  readonly checkpoint?: (hearing: Hearing) => unknown;
  /** Milliseconds before each record. */
  readonly stepMs?: number;
}

export interface HeardProgram {
  readonly found: readonly Finding[];
  /** Prints a text after `afterMs` milliseconds. */
  print(text: string, afterMs?: number): void;
  /** Prints nothing for a while: the silences in milliseconds after which a tick may come. */
  rest(silences?: readonly number[]): void;
  /** A line that orchd types. */
  send(text: string): void;
  /** The questions that were reported. */
  heard(): string[];
}

export function heardProgram({
  command = ['sometool'],
  cols = 80,
  rows = 24,
  checkpoint = () => null,
  stepMs = 0,
}: HeardProgramOptions = {}): HeardProgram {
  const record = createRecorder();
  let hearing = createHearing();
  const found: Finding[] = [];
  let time = 0;
  const push = (happening: Happening): void => {
    time += stepMs;
    found.push(...hearing.push(record({ ...happening, time })));
    const state = checkpoint(hearing);
    if (state !== null) hearing = createHearing({ checkpoint: JSON.parse(JSON.stringify(state)) });
  };
  push({ kind: 'start', sessionId: 's', command, cwd: '/', pid: 1, cols, rows });
  return {
    found,
    print(text, afterMs = 0) {
      time += afterMs;
      push({ kind: 'out', bytes: Buffer.from(text) });
    },
    rest(silences = [40, 400]) {
      const from = time;
      for (const quietMs of silences) {
        time = from + quietMs;
        const tick = hearing.wantsTick();
        if (tick && tick.quietMs <= quietMs) push({ kind: 'tick', quietMs });
      }
    },
    send(text) {
      const input = { kind: 'input', writeId: 'w', text: `${text}\r`, length: text.length + 1, submits: true } as const;
      push({ ...input, phase: 'begin' });
      push({ ...input, phase: 'end' });
    },
    heard: () =>
      found.flatMap((finding) => (finding.kind === 'message' ? [String(finding.message.data['question'])] : [])),
  };
}
