/** As stamps.mjs, in plain lines: `@@nanoseconds@@`, COUNT of them, about every EVERY_MS; from the first line on that is typed. */
const [count = '100', everyMs = '10'] = process.argv.slice(2);
let left = Number(count);

function print() {
  process.stdout.write(`@@${process.hrtime.bigint()}@@\r\n`);
  left--;
  // Not in step with anything else that ticks.
  if (left > 0) setTimeout(print, Number(everyMs) * (0.5 + Math.random()));
  else process.stdin.resume();
}
process.stdin.once('data', print); // when somebody watches
