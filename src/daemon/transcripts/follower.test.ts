/** A transcript is followed through everything that happens to files: in order, once, and to its end. */
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
const hears = (...words: string[]): Promise<void> => vi.waitFor(() => expect(said()).toEqual(words), PATIENCE);

describe('a transcript is followed', () => {
  test('when its folders and it come to be later', async () => {
    follow();
    append(line('one'));
    await hears('one');
    append(line('two'));
    await hears('one', 'two');
  });

  test('line by line: half of one waits for its end', async () => {
    follow();
    const [head, tail] = [line('whole').slice(0, 9), line('whole').slice(9)];
    append(line('one') + head);
    await hears('one');
    append(tail);
    await hears('one', 'whole');
  });

  test('with lines of megabytes, CRLF, empty lines, other lines and invalid UTF-8', async () => {
    const long = 'é'.repeat(MEGABYTES / 2);
    append(`${line('a').trimEnd()}\r\n\n\r\nno json\n`);
    append(line(long.slice(0, 1000)));
    append(`${JSON.stringify({ other: long })}\n`);
    append(Buffer.concat([Buffer.from('{"say":"b'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]));
    follow();
    await hears('a', long.slice(0, 1000), 'b\ufffd\ufffd');
  });

  test('from its beginning when it is replaced or emptied', async () => {
    follow({ log: { info: () => {}, error: () => {} } });
    append(line('one') + line('two'));
    await hears('one', 'two');
    writeFileSync(join(dir, 'new'), line('three'));
    renameSync(join(dir, 'new'), file);
    await hears('one', 'two', 'three');
    truncateSync(file, 0);
    append(line('4'));
    await hears('one', 'two', 'three', '4');
  });

  test('without a word twice when it is replaced by its like, or emptied and written again, in one piece or bit by bit', async () => {
    const logged: string[] = [];
    follow({ log: { info: () => {}, error: (message) => logged.push(message) } });
    append(line('one') + line('two'));
    await hears('one', 'two');
    writeFileSync(join(dir, 'new'), line('one') + line('two') + line('three'));
    renameSync(join(dir, 'new'), file);
    await hears('one', 'two', 'three');
    truncateSync(file, 0);
    append(line('4'));
    await hears('one', 'two', 'three', '4');
    append(line('one') + line('two') + line('three') + line('5'));
    await hears('one', 'two', 'three', '4', '5');
    expect(logged).toEqual(['a transcript is written anew; what it has said is passed over']);
  });

  test('without what was said before a restart, when it is written anew after it: what is older says so by its time', async () => {
    const [old, later] = [Date.now() - 1000, Date.now() + 1_000_000];
    const timed = (at: number, say: string) => `${JSON.stringify({ at, say })}\n`;
    append(timed(old, 'one') + timed(old, 'two'));
    follow({
      places: [{ path: file, offset: (timed(old, 'one') + timed(old, 'two')).length }],
      log: { info: () => {}, error: () => {} },
    });
    append(timed(later, 'three'));
    await hears('three');
    writeFileSync(join(dir, 'new'), timed(old, 'one') + timed(old, 'two') + timed(later, 'three') + timed(later, '4'));
    renameSync(join(dir, 'new'), file);
    await hears('three', '4');
  });

  test('after a file that cannot be read: at the next notice', async () => {
    const failing = vi.spyOn(FileTail.prototype, 'read').mockImplementationOnce(() => {
      throw new Error('EIO');
    });
    const logged: string[] = [];
    follow({ log: { info: () => {}, error: (message) => logged.push(message) } });
    await vi.waitFor(() => expect(logged).toEqual(['a transcript cannot be read now']), PATIENCE);
    failing.mockRestore();
    append(line('one'));
    await hears('one');
  });

  test('past gigabytes without a line end: each look is short, and what comes behind them is heard', async () => {
    append(line('one'));
    truncateSync(file, 1024 ** 4);
    follow();
    await hears('one');
    append(`\n${line('two')}`);
    await hears('one', 'two');
  });

  test('from where it was left', async () => {
    append(line('old') + line('new'));
    follow({ places: [{ path: file, offset: line('old').length }] });
    await hears('new');
  });

  test('without what it holds from before the session', async () => {
    append(
      `${JSON.stringify({ at: STARTED_AT - 1, say: 'old' })}\n${JSON.stringify({ at: STARTED_AT, say: 'new' })}\n`,
    );
    follow();
    await hears('new');
  });

  test('into the file in which the conversation goes on; an old one from its end', async () => {
    const [next, old] = [join(dir, 'next'), join(dir, 'old')];
    writeFileSync(next, line('first'));
    writeFileSync(old, line('long ago'));
    follow();
    append(`${JSON.stringify({ goOn: next })}\n${JSON.stringify({ goOn: old, isOld: true })}\n`);
    await hears('first');
    append(line('again'), old);
    await hears('first', 'again');
  });

  test('only into files among the agent’s conversations, wherever it points', async () => {
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
    await hears('one', 'two');
    expect(refused).toEqual(paths);
    rmSync(outside, { recursive: true });
  });

  test('also when it names a file that cannot be', async () => {
    const names = [`${dir}/${'x'.repeat(5000)}`, `${dir}/nul\0`];
    follow({ log: { info: () => {}, error: () => {} } });
    for (const isOld of [true, false]) {
      for (const goOn of names) append(`${JSON.stringify({ goOn, isOld })}\n`);
    }
    append(line('one'));
    await hears('one');
    append(line('two'));
    await hears('one', 'two');
  });

  test('to its end: what the program wrote last is read, also without a line end', async () => {
    const follower = follow();
    append(line('one') + line('last').trimEnd());
    await follower.finish();
    expect(said()).toEqual(['one', 'last']);
  });

  test('by a program that chooses its file’s name: the one that it holds open', async () => {
    const own = join(dir, '2026/roll-2.jsonl');
    append(line('not mine'), join(dir, '2026/roll-1.jsonl'));
    append(line('mine'), own);
    const isOurs = (_first: string, isOpen: boolean | null) => isOpen !== false;
    const { openSync, closeSync } = await import('node:fs');
    const fd = openSync(own, 'r');
    const source = { kind: 'newest', dir, depth: 1, isByDate: true, name: /^roll-/, isOurs } as const;
    follow({ sources: [source] });
    await hears('mine').finally(() => closeSync(fd));
  });

  test('by one session only', async () => {
    const claimed = new Set<string>();
    follow({ claimed });
    follow({ claimed });
    append(line('one'));
    await hears('one');
    append(line('two'));
    await hears('one', 'two');
  });
});

describe('its notes', () => {
  test('come one after the other, hold what came together, and say how far each reaches', async () => {
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
    await hears('one');
    append(line('two') + line('three'));
    release();
    await hears('one', 'two', 'three');
    expect(notes.map(({ items }) => items.length)).toEqual([1, 2]);
    const size = line('one').length + line('two').length + line('three').length;
    expect(notes.at(-1)?.places).toEqual([{ path: file, offset: size }]);
  });

  test('are bounded: a long text has one of its own', async () => {
    const long = 'x'.repeat(200_000);
    append(line('one') + line(long) + line('two') + line('three'));
    follow();
    await hears('one', long, 'two', 'three');
    expect(notes.map(({ items }) => items.length)).toEqual([1, 1, 2]);
  });

  test('lose and repeat nothing when following begins anew after any of them', async () => {
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

describe('a transcript that is lost goes on', () => {
  const begun = (name: string, ask: string, say: string): void =>
    append(`${JSON.stringify({ ask })}\n${line(say)}`, join(dir, 'chats', name, 'events.jsonl'));
  const lost = (lacks: FollowerPorts['lacks'], claimed = new Set<string>()): Follower =>
    follow({
      ...{ claimed, ...(lacks && { lacks }) },
      sources: [
        { kind: 'file', path: file },
        { kind: 'next', dir: join(dir, 'chats'), depth: 1, name: /^events\.jsonl$/ },
      ],
    });

  test('in the file that holds the prompt, from its beginning', async () => {
    const follower = lost((prompt) => prompt === 'two');
    append(line('before'));
    await hears('before');
    begun('other', 'one', 'not this');
    begun('ours', 'two', 'this');
    follower.lookForNext();
    await hears('before', 'this');
    append(line('and this'), join(dir, 'chats/ours/events.jsonl'));
    await hears('before', 'this', 'and this');
  });

  test('in none where several hold it, or another session follows it', async () => {
    begun('first', 'two', 'a');
    const taken = lost((prompt) => prompt === 'two', new Set([join(dir, 'chats/first/events.jsonl')]));
    taken.lookForNext();
    begun('second', 'two', 'b');
    const unsure = lost((prompt) => prompt === 'two');
    unsure.lookForNext();
    append(line('end'));
    await vi.waitFor(() => expect(said()).toContain('end'), PATIENCE);
    expect(said()).not.toContain('a');
    expect(said()).not.toContain('b');
  });

  test('nowhere while it is not lost', async () => {
    begun('ours', 'two', 'this');
    lost(() => false).lookForNext();
    append(line('end'));
    await hears('end');
  });
});
