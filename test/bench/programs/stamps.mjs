/**
 * Says `COUNT` messages, about one every `EVERY_MS`, with the moment of the last byte's write in them: nanoseconds of
 * the monotonic clock, which all processes of a machine share. Begins at the first line that is typed, and then waits
 * to be ended.
 *
 *     node stamps.mjs COUNT EVERY_MS printed     as fenced blocks, one write each
 *     node stamps.mjs COUNT EVERY_MS painted     as an agent that paints its whole screen with every frame: first a
 *                                                message's beginning, as it streams, and then all of it
 */
const [count = '100', everyMs = '20', mode = 'printed'] = process.argv.slice(2);
let left = Number(count);
const conversation = [];

const message = () =>
  JSON.stringify({ type: 'STATUS_UPDATE', data: { currentStep: `@@${process.hrtime.bigint()}@@` } });
// Not in step with anything else that ticks.
const later = (work, share = 1) => setTimeout(work, Number(everyMs) * share * (0.5 + Math.random()));

function paint() {
  conversation.splice(0, conversation.length - 20);
  const rows = conversation.map((row) => `${row}\x1b[K`).join('\r\n');
  process.stdout.write(`\x1b[?2026h\x1b[H${rows}\r\n\x1b[J\x1b[24;1H> \x1b[?2026l`);
}

const SAY = {
  printed() {
    process.stdout.write(`\`\`\`orchestrator-message\n${message()}\n\`\`\`\n`);
    next();
  },
  painted() {
    conversation.push(`● Step ${count - left + 1} of ${count}`, '', '  orchestrator-message', '  {"type":');
    paint();
    later(() => {
      conversation.splice(-1, 1, `  ${message()}`, '');
      paint();
      next();
    }, 0.5);
  },
};

function next() {
  left--;
  if (left > 0) later(SAY[mode]);
}

process.stdin.once('data', () => {
  if (mode === 'painted') {
    process.stdin.setRawMode(true);
    process.stdout.write('\x1b[?1049h\x1b[?25l');
    conversation.push('> go', '');
    paint();
  }
  later(SAY[mode]);
});
