/** Keeps sessions busy: writes LINES_PER_SECOND lines into each of the FIFOs named, evenly spread, until it is ended. */
import { closeSync, constants, openSync, writeSync } from 'node:fs';

const [linesPerSecond = '100', ...paths] = process.argv.slice(2);
// For reading too: opening does not wait for the reader then, nor does a reader that ends break the pipe.
const files = paths.map((path) => openSync(path, constants.O_RDWR | constants.O_NONBLOCK));
const perMs = (Number(linesPerSecond) * files.length) / 1000;
const start = performance.now();
let written = 0;

setInterval(() => {
  for (const due = (performance.now() - start) * perMs; written < due; written++) {
    const file = files[written % files.length];
    try {
      writeSync(file, `line ${written}: what an agent says while it works, \x1b[32mok\x1b[0m and so on\n`);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error; // its reader is behind: that line is not printed
    }
  }
}, 1);
process.on('SIGTERM', () => {
  for (const file of files) closeSync(file);
  process.exit();
});
