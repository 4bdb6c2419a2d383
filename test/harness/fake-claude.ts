/**
 * A program named `claude` with a transcript like that of Claude Code, for tests of transcripts. It repeats each input
 * with a number, first in the transcript and then on the screen. `ask` lets it ask a question. `bye` ends it, and its
 * last words are only in the transcript. Each reply costs 100 input tokens, 90 of them cached, 5 output tokens, and
 * half a dollar. `--resume` paints an old conversation with a composer below it and continues that conversation.
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
usage='"usage":{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":5}'
say() { printf '{"type":"assistant","costUSD":0.5,"message":{"id":"%s","content":[{"type":"text","text":"%s"}],%s},"timestamp":"2099-01-01T00:00:00Z"}\\n' "$1" "$1" "$usage" >> "$dir/$id.jsonl"; }
n=0
if [ "$old" ]; then
  [ -f "$dir/$id.jsonl" ] || { echo "No conversation found with session ID: $id"; exit 1; }
  printf '\\033]2;✳ Claude Code\\007\\033[2J\\033[H'
  sed 's/.*"text":"//; s/"}].*//' "$dir/$id.jsonl"
  printf '%s\\n' ──────────── '❯ ' ──────────── '  ? for shortcuts'
  n=$(wc -l < "$dir/$id.jsonl")
fi
echo ready
while read -r line; do
  n=$((n+1)); say "$line $n"; echo "$line"
  if [ "$line" = ask ]; then say ':ORCHESTRATOR: QUESTION - Which one?'; fi
  if [ "$line" = bye ]; then say 'last words'; exit; fi
done
`;

export interface FakeClaude {
  /**
   * Its home. The file \`arguments\` contains the arguments it was started with, one per line. The file \`helped\`
   * exists if it was called with \`--help\`.
   */
  readonly home: string;
  /**
   * Flags for the session: the fake is the first \`claude\` in the PATH. The adapter is set, because the fake is a
   * shell script.
   */
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
