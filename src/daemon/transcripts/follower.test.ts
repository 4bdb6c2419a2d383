/** Tests that a transcript is followed through all changes of its files: in order, once, and to its end. */
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { TranscriptSource, TranscriptTraits } from '../../session/index.js';
import { FileTail } from './file-tail.js';
import { FolderWatches } from './folder-watches.js';
import { Follower, type FollowerPorts } from './follower.js';
import type { TranscriptNote } from './transcript-note.js';

const STARTED_AT = 1000;
const PATIENCE = { timeout: 10_000, interval: 5 };
/** Longer than one gulp and many chunks. */
const MEGABYTES = 3 * 1024 * 1024;

let dir: string;
let file: string;
let watches: FolderWatches;
let notes: TranscriptNote[];
let followers: Follower[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'orchd-follower-'));
  file = join(dir, 'deep/down/transcript.jsonl');
  watches = new FolderWatches();
  notes = [];
  followers = [];
});
afterEach(() => {
  for (const follower of followers) follower.close();
  watches.close();
  rmSync(dir, { recursive: true, force: true });
});

/** A line is `{say}`, `{ask}`, `{at, say}` or `{goOn, isOld}`. */
const read: TranscriptTraits['read'] = (line) => {
  const record = line.startsWith('{')
    ? (JSON.parse(line) as { say?: string; ask?: string; at?: number; goOn?: string; isOld?: boolean })
    : {};
  const { say, ask, at = null, goOn, isOld = false } = record;
  if (ask !== undefined) return { at, items: [{ kind: 'prompt', text: ask }] };
  if (goOn !== undefined) return { at, items: [{ kind: 'session', agentSessionId: 'next', path: goOn, isOld }] };
  return { at, items: say === undefined ? [] : [{ kind: 'text', text: say }] };
};

function follow(more: Partial<FollowerPorts> & { sources?: readonly TranscriptSource[] } = {}): Follower {
  const sources = more.sources ?? [{ kind: 'file', path: file }];
  const follower = new Follower({
    traits: { env: [], home: () => dir, sources: () => sources, read },
    about: { argv: [], env: {}, cwd: dir, dir, agentSessionId: null },
    feed: join(dir, 'feed.jsonl'),
    pid: process.pid,
    startedAt: STARTED_AT,
    places: [],
    watches,
    now: Date.now,
    monotonicNow: () => performance.now(),
    claimed: new Set(),
    submit: async (note) => {
      notes.push(note);
    },
    log: { info: () => {}, error: (message, error) => expect.fail(`${message} ${String(error)}`) },
    ...more,
  });
  followers.push(follower);
  return follower;
}

const line = (say: string): string => `${JSON.stringify({ say })}\n`;
function append(text: string | Buffer, path = file): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, text);
}
const said = (): string[] =>
  notes.flatMap(({ items }) => items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])));
const expectSaid = (...words: string[]): Promise<void> => vi.waitFor(() => expect(said()).toEqual(words), PATIENCE);

describe('a follower', () => {
  test('waits for a file whose folders do not exist yet', async () => {
    follow();
    append(line('one'));
    await expectSaid('one');
    append(line('two'));
    await expectSaid('one', 'two');
  });

  test('waits for the end of an incomplete line', async () => {
    follow();
    const [head, tail] = [line('whole').slice(0, 9), line('whole').slice(9)];
    append(line('one') + head);
    await expectSaid('one');
    append(tail);
    await expectSaid('one', 'whole');
  });

  test('reads long lines, CRLF, empty lines, lines of other kinds and invalid UTF-8', async () => {
    const long = 'é'.repeat(MEGABYTES / 2);
    append(`${line('a').trimEnd()}\r\n\n\r\nno json\n`);
    append(line(long.slice(0, 1000)));
    append(`${JSON.stringify({ other: long })}\n`);
    append(Buffer.concat([Buffer.from('{"say":"b'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]));
    follow();
    await expectSaid('a', long.slice(0, 1000), 'b\ufffd\ufffd');
  });

  test('reads a file from its beginning after it is replaced or emptied', async () => {
    follow({ log: { info: () => {}, error: () => {} } });
    append(line('one') + line('two'));
    await expectSaid('one', 'two');
    writeFileSync(join(dir, 'new'), line('three'));
    renameSync(join(dir, 'new'), file);
    await expectSaid('one', 'two', 'three');
    truncateSync(file, 0);
    append(line('4'));
    await expectSaid('one', 'two', 'three', '4');
  });

  test('repeats nothing when the same lines are written again after a replacement or truncation', async () => {
    const logged: string[] = [];
    follow({ log: { info: () => {}, error: (message) => logged.push(message) } });
    append(line('one') + line('two'));
    await expectSaid('one', 'two');
    writeFileSync(join(dir, 'new'), line('one') + line('two') + line('three'));
    renameSync(join(dir, 'new'), file);
    await expectSaid('one', 'two', 'three');
    truncateSync(file, 0);
    append(line('4'));
    await expectSaid('one', 'two', 'three', '4');
    append(line('one') + line('two') + line('three') + line('5'));
    await expectSaid('one', 'two', 'three', '4', '5');
    expect(logged).toEqual(['a transcript is written anew; what it has said is passed over']);
  });

  test('skips lines from before a restart, by their time, when the file is written anew after it', async () => {
    const [old, later] = [Date.now() - 1000, Date.now() + 1_000_000];
    const timed = (at: number, say: string) => `${JSON.stringify({ at, say })}\n`;
    append(timed(old, 'one') + timed(old, 'two'));
    follow({
      places: [{ path: file, offset: (timed(old, 'one') + timed(old, 'two')).length }],
      log: { info: () => {}, error: () => {} },
    });
    append(timed(later, 'three'));
    await expectSaid('three');
    writeFileSync(join(dir, 'new'), timed(old, 'one') + timed(old, 'two') + timed(later, 'three') + timed(later, '4'));
    renameSync(join(dir, 'new'), file);
    await expectSaid('three', '4');
  });

  test('tries an unreadable file again at the next notice', async () => {
    const failing = vi.spyOn(FileTail.prototype, 'read').mockImplementationOnce(() => {
      throw new Error('EIO');
    });
    const logged: string[] = [];
    follow({ log: { info: () => {}, error: (message) => logged.push(message) } });
    await vi.waitFor(() => expect(logged).toEqual(['a transcript cannot be read now']), PATIENCE);
    failing.mockRestore();
    append(line('one'));
    await expectSaid('one');
  });

  test('skips a terabyte without a line end, and reads the lines behind it', async () => {
    append(line('one'));
    truncateSync(file, 1024 ** 4);
    follow();
    await expectSaid('one');
    append(`\n${line('two')}`);
    await expectSaid('one', 'two');
  });

  test('continues at the stored offset', async () => {
    append(line('old') + line('new'));
    follow({ places: [{ path: file, offset: line('old').length }] });
    await expectSaid('new');
  });

  test('skips lines from before the session', async () => {
    append(
      `${JSON.stringify({ at: STARTED_AT - 1, say: 'old' })}\n${JSON.stringify({ at: STARTED_AT, say: 'new' })}\n`,
    );
    follow();
    await expectSaid('new');
  });

  test('switches to the file in which the conversation goes on, and reads an old one from its end', async () => {
    const [next, old] = [join(dir, 'next'), join(dir, 'old')];
    writeFileSync(next, line('first'));
    writeFileSync(old, line('long ago'));
    follow();
    append(`${JSON.stringify({ goOn: next })}\n${JSON.stringify({ goOn: old, isOld: true })}\n`);
    await expectSaid('first');
    append(line('again'), old);
    await expectSaid('first', 'again');
  });

  test('refuses files outside the agent’s conversations, however their path is written', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'orchd-elsewhere-'));
    const paths = [
      join(outside, 'secret'),
      `${dir}/../${basename(outside)}/secret`,
      join(dir, 'link'),
      join(dir, 'dangling'),
      `relative/file`,
      dir,
      `${outside}/${'x'.repeat(5000)}`,
      'nul\0',
    ];
    symlinkSync(join(outside, 'secret'), join(dir, 'link'));
    symlinkSync(join(outside, 'later'), join(dir, 'dangling'));
    writeFileSync(join(outside, 'secret'), line('secret'));
    const refused: unknown[] = [];
    follow({ log: { info: () => {}, error: (_message, _error, details) => refused.push(details?.['path']) } });
    for (const path of paths) append(`${JSON.stringify({ goOn: path })}\n`);
    append(`${JSON.stringify({ goOn: join(dir, 'own') })}\n${line('one')}`);
    append(line('two'), join(dir, 'own'));
    writeFileSync(join(outside, 'later'), line('later'));
    await expectSaid('one', 'two');
    expect(refused).toEqual(paths);
    rmSync(outside, { recursive: true });
  });

  test('goes on when a line names an impossible path', async () => {
    const names = [`${dir}/${'x'.repeat(5000)}`, `${dir}/nul\0`];
    follow({ log: { info: () => {}, error: () => {} } });
    for (const isOld of [true, false]) {
      for (const goOn of names) append(`${JSON.stringify({ goOn, isOld })}\n`);
    }
    append(line('one'));
    await expectSaid('one');
    append(line('two'));
    await expectSaid('one', 'two');
  });

  test('reads the last line at the end of the session, even without a line end', async () => {
    const follower = follow();
    append(line('one') + line('last').trimEnd());
    await follower.finish();
    expect(said()).toEqual(['one', 'last']);
  });

  test('picks the file that the program holds open if the program chooses its file name', async () => {
    const own = join(dir, '2026/roll-2.jsonl');
    append(line('not mine'), join(dir, '2026/roll-1.jsonl'));
    append(line('mine'), own);
    const isOurs = (_first: string, isOpen: boolean | null) => isOpen !== false;
    const { openSync, closeSync } = await import('node:fs');
    const fd = openSync(own, 'r');
    const source = { kind: 'newest', dir, depth: 1, isByDate: true, name: /^roll-/, isOurs } as const;
    follow({ sources: [source] });
    await expectSaid('mine').finally(() => closeSync(fd));
  });

  test('does not follow a file that another session follows', async () => {
    const claimed = new Set<string>();
    follow({ claimed });
    follow({ claimed });
    append(line('one'));
    await expectSaid('one');
    append(line('two'));
    await expectSaid('one', 'two');
  });
});

describe('transcript notes', () => {
  test('arrive one after the other, combine lines that arrive together, and carry the offset', async () => {
    let release = () => {};
    const isFree = new Promise<void>((resolve) => {
      release = resolve;
    });
    append(line('one'));
    follow({
      submit: async (note) => {
        notes.push(note);
        await isFree;
      },
    });
    await expectSaid('one');
    append(line('two') + line('three'));
    release();
    await expectSaid('one', 'two', 'three');
    expect(notes.map(({ items }) => items.length)).toEqual([1, 2]);
    const size = line('one').length + line('two').length + line('three').length;
    expect(notes.at(-1)?.places).toEqual([{ path: file, offset: size }]);
  });

  test('have a size limit: a long text gets a note of its own', async () => {
    const long = 'x'.repeat(200_000);
    append(line('one') + line(long) + line('two') + line('three'));
    follow();
    await expectSaid('one', long, 'two', 'three');
    expect(notes.map(({ items }) => items.length)).toEqual([1, 1, 2]);
  });

  test('allow resuming after any of them without losing or repeating a line', async () => {
    const words = Array.from({ length: 40 }, (_, i) => `word ${i}`);
    append(words.map(line).join(''));
    let places: TranscriptNote['places'] = [];
    while (said().length < words.length) {
      const before = said().length;
      const follower: Follower = follow({
        places,
        submit: async (note) => {
          if (said().length > before) throw new Error('killed');
          notes.push({ ...note, items: note.items.slice(0) });
          places = note.places;
        },
        log: { info: () => {}, error: () => {} },
      });
      await vi.waitFor(() => expect(said().length).toBeGreaterThan(before), PATIENCE);
      follower.close();
    }
    expect(said()).toEqual(words);
  });
});

describe('a follower that lost its file', () => {
  const startChat = (name: string, ask: string, say: string): void =>
    append(`${JSON.stringify({ ask })}\n${line(say)}`, join(dir, 'chats', name, 'events.jsonl'));
  const followLost = (lacks: FollowerPorts['lacks'], claimed = new Set<string>()): Follower =>
    follow({
      claimed,
      ...(lacks && { lacks }),
      sources: [
        { kind: 'file', path: file },
        { kind: 'next', dir: join(dir, 'chats'), depth: 1, name: /^events\.jsonl$/ },
      ],
    });

  test('continues in the file that holds the prompt, from its beginning', async () => {
    const follower = followLost((prompt) => prompt === 'two');
    append(line('before'));
    await expectSaid('before');
    startChat('other', 'one', 'not this');
    startChat('ours', 'two', 'this');
    follower.lookForNext();
    await expectSaid('before', 'this');
    append(line('and this'), join(dir, 'chats/ours/events.jsonl'));
    await expectSaid('before', 'this', 'and this');
  });

  test('ignores files if several hold the prompt or another session follows it', async () => {
    startChat('first', 'two', 'a');
    const taken = followLost((prompt) => prompt === 'two', new Set([join(dir, 'chats/first/events.jsonl')]));
    taken.lookForNext();
    startChat('second', 'two', 'b');
    const unsure = followLost((prompt) => prompt === 'two');
    unsure.lookForNext();
    append(line('end'));
    await vi.waitFor(() => expect(said()).toContain('end'), PATIENCE);
    expect(said()).not.toContain('a');
    expect(said()).not.toContain('b');
  });

  test('looks for no file while it has not lost its own', async () => {
    startChat('ours', 'two', 'this');
    followLost(() => false).lookForNext();
    append(line('end'));
    await expectSaid('end');
  });
});
