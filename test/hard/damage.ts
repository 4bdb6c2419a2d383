/**
 * Damages the event log in many ways, and looks at every command that reads it.
 *
 * Holds if, for each damage: the daemon starts, unless the file itself (its pages) was damaged, and then says so; no
 * command calls it a bug in orchd; no command ends the daemon; what is not damaged can be answered. Rows are damaged
 * one at a time: a byte is flipped, or the value is replaced, in every column of every table. Pages are damaged by
 * flipping bytes of the file.
 */
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { parseArgs } from 'node:util';
import { type Database, loadDriver } from '../../src/store/sqlite-driver.js';
import { check, createHome, type Home, type Outcome, until } from './parts/home.js';
import type { HardTest } from './run.js';

export const hard: HardTest = {
  summary: 'damage rows and pages of the event log, and look at every command',
  options: ['--times N   the number of damages (120)', '--seed N    repeats a run'],
  async run(args) {
    const { values } = parseArgs({ args, options: { times: { type: 'string' }, seed: { type: 'string' } } });
    const times = Number(values.times ?? 120);
    const seed = Number(values.seed ?? Date.now() % 1_000_000);
    if (!Number.isInteger(times) || times < 1 || !Number.isInteger(seed))
      throw new Error('--times and --seed take whole numbers');
    console.log(`damage: ${times} damages, seed ${seed}`);
    const home = createHome();
    try {
      await damageAll(home, times, seed);
    } finally {
      await home.close();
    }
  },
};

/** Columns that a row needs, in addition to its position. */
const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ...(['session', 'item', 'blueprint', 'run', 'task', 'workflow', 'workflow_step'] as const).flatMap((table) => [
    [table, 'value'] as const,
    [table, 'value'] as const, // This column contains most of the bytes.
    [table, 'id'] as const,
  ]),
  ...(['text', 'text', 'event_type', 'session_id', 'timestamp'] as const).map((column) => ['event', column] as const),
  ...(['session_id', 'position', 'checkpoint_position', 'checkpoint'] as const).map((it) => ['cursor', it] as const),
  ['meta', 'value'],
  ['meta', 'key'],
  ['by_type', 'event_type'],
  ['by_session', 'session_id'],
];
/** Values that replace a stored value. */
const VALUES = ['', 'null', '{}', '[]', '0', '"x"', '-1', '9007199254740993', '\u0000', 'x'.repeat(10_000), '{"id":1}'];
/** Every `PAGES_EVERY`th damage affects whole pages of the file. */
const PAGES_EVERY = 4;
const BUG = /bug in orchd|ORCHD_INTERNAL|TypeError|RangeError|is not a function|Cannot read propert/;

interface Ids {
  readonly session: string;
  readonly item: string;
  readonly run: string;
  readonly task: string;
}

/** Every command that reads the event log. Each may fail, but only with an error message of orchd. */
const commands = ({ session, item, run, task }: Ids): string[][] => [
  ['ls'],
  ['ls', '--all'],
  ['inbox'],
  ['inbox', '--all'],
  ['status'],
  ['doctor'],
  ['metrics'],
  ['runs'],
  ['task', 'list'],
  ['workflow', 'list'],
  ['agent', 'list'],
  ['notify', 'status'],
  ['export', '--all'],
  ['show', session],
  ['show', item],
  ['capture', session],
  ['explain', item],
  ['explain', session],
  ['logs'],
  ['runs', 'show', run],
  ['task', 'show', task],
  ['events', '--since', '0'],
  ['prune', '--dry-run'],
  ['events', '--since', '0', '--session', session],
  ['events', '--since', '0', '--type', 'message', '--json'],
  ['api', 'GET', '/events?since=0'],
  ['api', 'GET', '/sessions'],
  ['export', session, '--journal'],
];

async function damageAll(home: Home, times: number, seed: number): Promise<void> {
  let state = seed + 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x7fffffff) * below) % below;
  };
  const { DatabaseSync } = await loadDriver();
  const ids = await fill(home);
  const whole = `${home.paths.database}.whole`;
  await home.must(['stop', '--keep-sessions']);
  copyFileSync(home.paths.database, whole);
  let refused = 0;
  for (let i = 1; i <= times; i++) {
    // A copy is damaged, because statements of this process may still lock the file.
    const draft = `${whole}-${i}`;
    copyFileSync(whole, draft);
    for (const file of ['-wal', '.damaged']) rmSync(`${home.paths.database}${file}`, { force: true });
    const isOfPages = i % PAGES_EVERY === 0;
    const what = isOfPages ? damagePages(draft, random) : damageRow(new DatabaseSync(draft), random);
    renameSync(draft, home.paths.database);
    const logged = statSync(home.paths.logFile).size;
    const started = await home.run(['start', '--detach', '--no-tcp']);
    mustBeClear(what, ['start'], started);
    if (started.code !== 0) {
      if (!isOfPages) throw new Error(`${what}: the daemon does not start: ${started.stderr}`);
      refused++;
      continue;
    }
    await look(home, what, ids, isOfPages);
    const log = logSince(home.paths.logFile, logged);
    const bug = log.split('\n').find((line) => BUG.test(line));
    if (bug) throw new Error(`${what}: the log tells of a bug: ${bug.slice(0, 1500)}`);
    console.log(`  ${what}`);
    await home.must(['stop', '--keep-sessions']);
    if (i % 10 === 0) console.log(`damage: ${i} of ${times}; ${refused} files refused`);
  }
  copyFileSync(whole, home.paths.database);
  rmSync(`${home.paths.database}-wal`, { force: true });
  await home.must(['start', '--detach', '--no-tcp']);
  check(`after ${times} damages (${refused} files refused) the whole file is used as before`, true);
}

/** A home with rows in every table. */
async function fill(home: Home): Promise<Ids> {
  await home.must(['start', '--detach', '--no-tcp']);
  const { client } = home;
  const asks = `echo ':ORCHESTRATOR: QUESTION - here?'; read -r a; echo "got $a"; read -r b`;
  const session = (await home.must(['run', '-d', '--name', 'asker', '--', 'sh', '-c', asks])).trim();
  await home.must(['run', '-d', '--', 'sh', '-c', 'echo ":ORCHESTRATOR: TASK COMPLETE - done"']);
  const prints = 'i=0; while [ $i -lt 2300 ]; do i=$((i+1)); echo ":ORCHESTRATOR: TASK COMPLETE - step $i"; done';
  const many = (await home.must(['run', '-d', '--', 'sh', '-c', prints])).trim();
  await client.call('blueprint.create', { name: 'helper', adapter: 'shell', args: ['cat'], description: 'helps' });
  const cwd = home.paths.stateDir;
  const args = ['sh', '-c', 'read -r line; echo result'];
  const env = { PATH: process.env['PATH'] ?? '' };
  const run = await client.call('run.start', { adapter: 'shell', interactive: true, args, prompt: 'x', cwd, env });
  await client.call('run.wait', { run: run.id, timeout_ms: 60_000 });
  const task = await client.call('task.create', { prompt: 'a task', cwd, adapter: 'shell' });
  const agentfile = 'ASK "Which name?" -> name\nGOAL greeting "Say hello." WITH helper\n';
  await client.call('workflow.run', { agentfile, cwd, env });
  await client.call('session.wait', { session: many, until: 'exited', timeout_ms: 120_000 });
  const items = await until('the question', async () => {
    const open = await client.call('inbox.list', {});
    return open.length > 0 && open;
  });
  return {
    session,
    item: items[0]?.id ?? '',
    run: run.id,
    task: task.id,
  };
}

async function look(home: Home, what: string, ids: Ids, isOfPages: boolean): Promise<void> {
  const pid = readFileSync(home.paths.pidFile, 'utf8');
  for (const command of commands(ids)) {
    const from = statSync(home.paths.logFile).size;
    const outcome = await home.run(command);
    try {
      mustBeClear(what, command, outcome);
    } catch (error) {
      console.log(logSince(home.paths.logFile, from)); // the error of the daemon with its stack
      throw error;
    }
  }
  const after = await home.run(['status']);
  mustBeClear(what, ['status'], after);
  const isSame = readFileSync(home.paths.pidFile, 'utf8') === pid;
  if (!isOfPages && (after.code !== 0 || !isSame)) throw new Error(`${what}: the daemon has ended`);
}

function mustBeClear(what: string, command: readonly string[], { code, stdout, stderr }: Outcome): void {
  if (BUG.test(stderr) || (code !== 0 && BUG.test(stdout.slice(0, 10_000))))
    throw new Error(`${what}: \`orchd ${command.join(' ')}\` ended with ${code}: ${stderr.slice(0, 1500)}`);
  if (code === null) throw new Error(`${what}: \`orchd ${command.join(' ')}\` was killed`);
}

function logSince(path: string, from: number): string {
  const fd = openSync(path, 'r');
  const buffer = Buffer.alloc(Math.max(0, statSync(path).size - from));
  readSync(fd, buffer, 0, buffer.length, from);
  closeSync(fd);
  return buffer.toString();
}

/**
 * Damages one value.
 * @returns  A description of the damage.
 */
function damageRow(db: Database, random: (below: number) => number): string {
  try {
    db.exec('PRAGMA journal_mode = DELETE');
    for (;;) {
      const [table, column] = COLUMNS[random(COLUMNS.length)] ?? ['event', 'text'];
      const { rows } = db.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number };
      if (rows === 0) continue;
      const key = ['meta', 'by_type', 'by_session'].includes(table) ? null : 'rowid';
      const offset = random(rows);
      const one = db.prepare(
        `SELECT ${key ?? 'NULL'} AS id, CAST(${column} AS TEXT) AS value FROM ${table} LIMIT 1 OFFSET ${offset}`,
      );
      const { id, value } = one.get() as { id: number | null; value: string | null };
      const isFlip = random(3) > 0 && value !== null && value.length > 0;
      const damaged = isFlip ? flipped(value, random) : (VALUES[random(VALUES.length)] ?? '');
      const where =
        key === null
          ? `${column} = CAST(? AS ${table === 'meta' && column === 'value' ? 'INTEGER' : 'TEXT'})`
          : 'rowid = ?';
      try {
        db.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${where}`).run(damaged, key === null ? value : id);
      } catch {
        continue; // The value would be the id of another row.
      }
      return (
        `${table}.${column} ${key === null ? `of '${value}'` : `in row ${id}`} = ` +
        `${JSON.stringify(damaged.slice(0, 60))}${isFlip ? ' (one bit flipped)' : ''}`
      );
    }
  } finally {
    db.close();
  }
}

function flipped(value: string, random: (below: number) => number): string {
  const bytes = Buffer.from(value);
  const at = random(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random(7));
  return bytes.toString();
}

/** Flips bytes anywhere in the file. */
function damagePages(path: string, random: (below: number) => number): string {
  const fd = openSync(path, 'r+');
  const { size } = statSync(path);
  const count = 1 + random(200);
  const byte = Buffer.alloc(1);
  for (let n = 0; n < count; n++) {
    const at = random(size);
    readSync(fd, byte, 0, 1, at);
    byte[0] = (byte[0] ?? 0) ^ (1 << random(8));
    writeSync(fd, byte, 0, 1, at);
  }
  closeSync(fd);
  return `${count} flipped bits in ${size} bytes`;
}
