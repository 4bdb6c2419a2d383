/**
 * Tests bad input: whatever a program prints or a client sends, the daemon continues and reports what it did with the
 * input. Full disks and stopped processes are in bad-state.test.ts.
 *
 * ORCHD_FLOOD_MB=100 npx vitest run --config test/vitest.config.ts test/e2e/bad-input.test.ts
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Event, Session } from '../../src/protocol/index.js';
import { startDaemon, type TestDaemon } from '../harness/daemon.js';
import { watchMemory } from '../harness/memory.js';

const FLOOD_MB = Number(process.env['ORCHD_FLOOD_MB'] ?? 40);
const MAX_MEMORY_MIB = 250;

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(() => daemon.close());

/** Starts a session with a Node program. */
const node = (source: string): Promise<Session> =>
  daemon.client.call('session.start', { command: [process.execPath, '-e', source], cwd: '/' });
const exited = ({ id }: Session) => daemon.event('session_exited', (event) => event.session_id === id);

async function eventsOf(session: Session): Promise<Event[]> {
  await exited(session);
  const events: Event[] = [];
  for await (const event of daemon.client.events({ since: 0, session: session.id })) {
    if (event.event_type !== 'gap') events.push(event);
  }
  return events;
}
const messages = (events: readonly Event[]) =>
  events.flatMap((event) => (event.event_type === 'message' ? [event] : []));
const rejections = (events: readonly Event[]) =>
  events.flatMap((event) => (event.event_type === 'message_rejected' ? [event] : []));

/** JavaScript that prints a fence. */
const FENCE = `const fence = (json) => process.stdout.write('\`\`\`orchestrator-message\\n' + json + '\\n\`\`\`\\n');
const status = (step) => fence(JSON.stringify({ type: 'STATUS_UPDATE', data: { currentStep: step } }));`;

describe('output of a program', () => {
  test('an oversized block gets one rejection, and later messages are heard', async () => {
    const session = await node(`${FENCE} status('before');
      fence(JSON.stringify({ type: 'STATUS_UPDATE', data: { currentStep: 'x'.repeat(400000) } })); status('after');`);
    const events = await eventsOf(session);
    expect(rejections(events)).toMatchObject([{ reason: 'oversized', truncated: true }]);
    expect(messages(events).map(({ message }) => message.data['currentStep'])).toEqual(['before', 'after']);
  });

  test('messages before random bytes are heard, and text after them can be captured', async () => {
    const session = await daemon.sh(
      `echo ':ORCHESTRATOR: TASK COMPLETE - before'; head -c 2000000 /dev/urandom; printf '\\033c\\n'; echo ` +
        `':ORCHESTRATOR: TASK COMPLETE - after'`,
    );
    const events = await eventsOf(session);
    expect(messages(events).map(({ message }) => message.data['summary'])).toEqual(expect.arrayContaining(['before']));
    const { text } = await daemon.client.call('session.capture', { session: session.id });
    expect(text).toContain('TASK COMPLETE - after');
  });

  test('50 MB without a line end cost little memory, and later messages are heard', async () => {
    const session = await node(`${FENCE} const part = Buffer.alloc(1e6, 'no end ');
      for (let i = 0; i < 50; i++) process.stdout.write(part); process.stdout.write('\\n'); status('after');`);
    const memory = await watch();
    const events = await eventsOf(session);
    expect(messages(events)).toHaveLength(1);
    expect(memory.stop()).toBeLessThan(MAX_MEMORY_MIB);
  });

  test('a fence that is still open at the exit is rejected as unclosed', async () => {
    const session = await node(`process.stdout.write('\`\`\`orchestrator-message\\n{"type":"QUESTION",\\n')`);
    expect(rejections(await eventsOf(session))).toMatchObject([{ reason: 'unclosed' }]);
  });

  test('a message with invalid UTF-8 is heard with replacement characters', async () => {
    const session =
      await node(`process.stdout.write(Buffer.concat([Buffer.from('\`\`\`orchestrator-message\\n{"type":"TASK_COMPLETE","data":{"summary":"a'),
      Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]), Buffer.from('b"}}\\n\`\`\`\\n')]))`);
    const [message] = messages(await eventsOf(session));
    expect(String(message?.message.data['summary'])).toMatch(/^a\ufffd.*b$/);
  });

  test('10,000 fences at full speed are heard completely and in order', async () => {
    const session = await node(`${FENCE} for (let i = 0; i < 10000; i++) status('step ' + i);`);
    const steps = messages(await eventsOf(session)).map(({ message }) => message.data['currentStep']);
    expect(steps).toEqual(Array.from({ length: 10_000 }, (_, i) => `step ${i}`));
  });

  test.each([
    [
      'nested 10,000 deep',
      `'{"type":"TASK_COMPLETE","data":{"summary":"x","more":' + '['.repeat(10000) + ']'.repeat(10000) + '}}'`,
    ],
    ['with 40,000 nested objects', `'{"a":'.repeat(40000) + '1' + '}'.repeat(40000)`],
    ['that is not an object', `'[1,2,3]'`],
    ['with the number 1e999', `'{"type":"STATUS_UPDATE","data":{"progress":1e999}}'`],
  ])('JSON %s is rejected, and later messages are heard', async (_name, json) => {
    const session = await node(`${FENCE} fence(${json}); status('after');`);
    const events = await eventsOf(session);
    expect(rejections(events)).toHaveLength(1);
    expect(messages(events)).toHaveLength(1);
  });

  test('duplicate keys and __proto__ do not pollute prototypes', async () => {
    const session = await node(`${FENCE}
      fence('{"type":"ERROR","type":"TASK_COMPLETE","data":{"summary":"one","summary":"two","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}');
      status('after');`);
    const events = await eventsOf(session);
    expect(messages(events).length + rejections(events).length).toBe(2);
    const status = await daemon.client.call('daemon.status', {});
    expect(status).not.toHaveProperty('polluted');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('the CLI prints no control and bidi characters of any string', async () => {
    const nasty = '\\\\u001b]0;pwned\\\\u0007\\\\u001b[31m\\\\u009b2J\\\\u202e\\\\r\\\\u0000x';
    const session = await node(`${FENCE}
      fence('{"type":"STATUS_UPDATE","data":{"currentStep":"s${nasty}"}}');
      fence('{"type":"ERROR","data":{"message":"e${nasty}"}}');
      fence('{"type":"QUESTION","data":{"question":"q${nasty}","options":["o${nasty}","p"]}}');
      fence('{"type":"${nasty}"}'); process.stdout.write('\\x1b]0;title\\u202e\\x07'); process.stdin.resume();`);
    await daemon.openItem(session);
    await daemon.event('message_rejected', (event) => event.session_id === session.id);
    for (const command of [['ls'], ['inbox'], ['show', session.id], ['events'], ['capture', session.id]]) {
      const { code, stdout } = await daemon.orchd(...command);
      expect(code).toBe(0);
      expect(stdout, command.join(' ')).not.toMatch(
        /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
      );
    }
    await daemon.client.call('session.kill', { session: session.id, grace_ms: 100 });
  });
});

describe('a program that does not read its input', () => {
  test('gets its answer later: the answer stalls, and is typed when the program reads', async () => {
    // In raw mode the kernel keeps about 64 KiB of unread input and refuses more.
    const session = await daemon.sh(
      `stty raw -echo; printf ':ORCHESTRATOR: QUESTION - anyone?\\r\\n'; while [ ! -e "$GO" ]; do sleep 0.1; ` +
        `done; head -c 900007 | tr -d x; printf '\\r\\n'`,
      '--env',
      `GO=${daemon.paths.stateDir}/go`,
    );
    const item = await daemon.openItem(session);
    await daemon.client.call('session.send', { session: session.id, text: 'x'.repeat(900_000), wait_ms: 0 });
    const answered = await daemon.client.call('inbox.answer', { item: item.id, text: 'hello' });
    expect(answered.answer?.delivery).toBe('accepted');
    const full = daemon.client.call('session.send', { session: session.id, text: 'x'.repeat(2_000_000), enter: false });
    await expect(full).rejects.toMatchObject({ code: 'ORCHD_INPUT_FULL' });
    const stalled = await daemon.event('answer_stalled', (event) => event.item_id === item.id);
    expect(stalled.reason).toBe('not_reading');
    const { stdout } = await daemon.orchd('run', '-d', '--', 'touch', `${daemon.paths.stateDir}/go`);
    expect(stdout).toMatch(/^ses_/);
    await daemon.event('answer_written', (event) => event.item_id === item.id);
    await exited(session);
    const { text } = await daemon.client.call('session.capture', { session: session.id });
    expect(text).toContain('hello');
  });
});

describe('a line of more than 4,095 bytes', () => {
  const long = 'y'.repeat(5_000);

  test('is refused for a terminal in line mode, which would truncate it, and the item stays open', async () => {
    const session = await daemon.sh(`echo ':ORCHESTRATOR: QUESTION - long?'; read -r a; echo "told \${#a}"`);
    const item = await daemon.openItem(session);
    const tried = daemon.client.call('inbox.answer', { item: item.id, text: long });
    await expect(tried).rejects.toMatchObject({
      code: 'ORCHD_LINE_TOO_LONG',
      details: { bytes: 5_000, max_bytes: 4_095 },
    });
    const sent = daemon.client.call('session.send', { session: session.id, text: long });
    await expect(sent).rejects.toMatchObject({ code: 'ORCHD_LINE_TOO_LONG' });
    await daemon.client.call('inbox.answer', { item: item.id, text: 'z'.repeat(4_095) });
    await exited(session);
    expect((await daemon.client.call('session.capture', { session: session.id })).text).toContain('told 4095');
  });

  test('is typed completely into a terminal in raw mode', async () => {
    const session = await daemon.sh(
      `stty raw -echo; printf ':ORCHESTRATOR: QUESTION - long?\\r\\n'; printf "told %s\\r\\n" "$(head -c ` +
        '5001 | wc -c)"',
    );
    const item = await daemon.openItem(session);
    await daemon.client.call('inbox.answer', { item: item.id, text: long });
    await exited(session);
    expect((await daemon.client.call('session.capture', { session: session.id })).text).toContain('told 5001');
  });
});

describe('an answer with several lines', () => {
  const asks =
    `echo ':ORCHESTRATOR: QUESTION - first?'; read -r a; echo ':ORCHESTRATOR: QUESTION - second?'; read -r b; ` +
    'echo "told $a $b"';

  test('is refused for a program that reads single lines, and the item stays open', async () => {
    const session = await daemon.sh(asks);
    const first = await daemon.openItem(session);
    const tried = daemon.client.call('inbox.answer', { item: first.id, text: 'one\ntwo' });
    await expect(tried).rejects.toMatchObject({ code: 'ORCHD_ONE_LINE', details: { lines: 2 } });
    const { code, stderr } = await daemon.orchd('answer', first.id, 'one\ntwo');
    expect(code).toBe(2);
    expect(stderr).toMatch(/would read only the first of the 2 lines.*\n.*in one line/);
    await daemon.client.call('inbox.answer', { item: first.id, text: 'one' });
    const { item_id } = await daemon.event(
      'item_opened',
      (event) => event.session_id === session.id && event.item_id !== first.id,
    );
    await daemon.client.call('inbox.answer', { item: item_id, text: 'two' });
    await exited(session);
    expect((await daemon.client.call('session.capture', { session: session.id })).text).toContain('told one two');
  });
});

describe('a flood without a viewer', () => {
  test(`of ${FLOOD_MB} MB needs less than ${MAX_MEMORY_MIB} MiB, and ^C ends it`, async () => {
    const session = await daemon.sh(
      `trap 'echo; echo ":ORCHESTRATOR: TASK COMPLETE - interrupted"; exit 3' INT; head -c ${FLOOD_MB}000000 ` +
        `/dev/zero | tr '\\0' 'a' | fold -w 79; echo; echo ':ORCHESTRATOR: QUESTION - on?'; read -r x; while ` +
        ':; do cat /proc/self/maps; done',
    );
    const memory = await watch();
    const item = await daemon.openItem(session);
    const most = memory.stop();
    console.log(`host and daemon had ${Math.round(most)} MiB at most`);
    expect(most).toBeLessThan(MAX_MEMORY_MIB);
    await daemon.client.call('inbox.answer', { item: item.id, text: 'go' });
    const terminal = await daemon.client.terminal(session.id, { mode: 'stream', readOnly: true });
    let bytes = 0;
    await new Promise<void>((resolve) =>
      terminal.onBytes((chunk) => {
        bytes += chunk.length;
        if (bytes > 500_000) resolve();
      }),
    );
    const before = performance.now();
    const { code } = await daemon.orchd('keys', session.id, 'C-c');
    expect(code).toBe(0);
    const end = await daemon.event('session_exited', (event) => event.session_id === session.id);
    console.log(`^C took effect after ${Math.round(performance.now() - before)} ms, the start of the command included`);
    expect(end.exit_code).toBe(3);
    terminal.close();
  });
});

async function watch() {
  const status = await daemon.client.call('daemon.status', {});
  return watchMemory([status.daemon.pid, status.host.pid]);
}
