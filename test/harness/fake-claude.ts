/**
 * A program named `claude` that writes down what it says as Claude Code does, for tests of transcripts: whatever is
 * typed it says again, numbered, written down before it is printed; `bye` ends it, and its last words stand in the
 * transcript only. `--resume` paints an old conversation, and a composer below it, and goes on with it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../../src/host/index.js';
import type { TranscriptItem } from '../../src/session/index.js';
import type { TestDaemon } from './daemon.js';

const PROGRAM = `#!/bin/sh
if [ "$1" = --help ]; then touch "$HOME/helped"; echo '--settings --session-id --append-system-prompt'; exit; fi
printf '%s\\n' "$@" > "$HOME/arguments"
while [ $# -gt 0 ]; do case $1 in --session-id) id=$2; shift;; --resume) id=$2; old=1; shift;; esac; shift; done
dir="$HOME/.claude/projects/$(pwd -P | sed 's/[^a-zA-Z0-9]/-/g')"; mkdir -p "$dir"
say() { printf '{"type":"assistant","message":{"content":[{"type":"text","text":"%s"}]},"timestamp":"2099-01-01T00:00:00Z"}\\n' "$1" >> "$dir/$id.jsonl"; }
n=0
if [ "$old" ]; then
  [ -f "$dir/$id.jsonl" ] || { echo "No conversation found with session ID: $id"; exit 1; }
  printf '\\033]2;✳ Claude Code\\007\\033[2J\\033[H'
  sed 's/.*"text":"//; s/"}.*//' "$dir/$id.jsonl"
  printf '%s\\n' ──────────── '❯ ' ──────────── '  ? for shortcuts'
  n=$(wc -l < "$dir/$id.jsonl")
fi
echo ready
while read -r line; do
  n=$((n+1)); say "$line $n"; echo "$line"
  if [ "$line" = bye ]; then say 'last words'; exit; fi
done
`;

export interface FakeClaude {
  /**
   * Its home, where \`arguments\` holds what it was started with, a line each, and \`helped\` stands if it was asked
   * for \`--help\`.
   */
  readonly home: string;
  /** For its session: it is found in the PATH before any other, and said to be the agent, for it is a shell script. */
  readonly flags: readonly string[];
  close(): void;
}

export function installFakeClaude(): FakeClaude {
  const home = mkdtempSync(join(tmpdir(), 'orchd-claude-'));
  const bin = join(home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'claude'), PROGRAM, { mode: 0o755 });
  return {
    home,
    flags: ['--adapter', 'claude', '--env', `HOME=${home}`, '--env', `PATH=${bin}:${process.env['PATH']}`, '-C', home],
    close: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** Returns the transcript items in a session's journal, in order. */
export function transcriptItems(daemon: TestDaemon, sessionId: string): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  const reader = openJournal(daemon.paths.journalsDir, sessionId);
  reader.read(Number.POSITIVE_INFINITY, (record) => {
    if (record.kind === 'note' && record.name === 'transcript') {
      items.push(...(record.data as { items: TranscriptItem[] }).items); // written by the daemon under test
    }
  });
  reader.close();
  return items;
}

export const textsOf = (items: readonly TranscriptItem[]): string[] =>
  items.flatMap((item) => (item.kind === 'text' ? [item.text] : []));
