/** Asks; when the answer's bytes are in its pty, says in a message when they came (as stamps.mjs does), and asks again. */
import { createInterface } from 'node:readline';

function say(type, data) {
  process.stdout.write(`\`\`\`orchestrator-message\n${JSON.stringify({ type, data })}\n\`\`\`\n`);
}

let asked = 0;
const ask = () => say('QUESTION', { question: `Question ${++asked}?` });
createInterface({ input: process.stdin }).on('line', () => {
  say('STATUS_UPDATE', { currentStep: `@@${process.hrtime.bigint()}@@` });
  ask();
});
ask();
