/**
 * Prints `COUNT` messages as fenced blocks, one write each, about every `EVERY_MS`, with the moment of the write in them:
 * nanoseconds of the monotonic clock, which all processes of a machine share. Then waits to be ended.
 */
const [count = '100', everyMs = '20'] = process.argv.slice(2);
let left = Number(count);

function print() {
  const stamp = `@@${process.hrtime.bigint()}@@`;
  const message = { type: 'STATUS_UPDATE', data: { currentStep: stamp } };
  process.stdout.write(`\`\`\`orchestrator-message\n${JSON.stringify(message)}\n\`\`\`\n`);
  left--;
  // Not in step with anything else that ticks.
  if (left > 0) setTimeout(print, Number(everyMs) * (0.5 + Math.random()));
  else process.stdin.resume();
}
setTimeout(print, 500);
