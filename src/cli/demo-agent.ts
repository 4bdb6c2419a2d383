/**
 * A scripted agent for `orchd demo`. It needs no account; like a real agent, it reports, asks, blocks, requests a
 * review and finishes. The first argument selects the role. It waits for each answer and continues with it.
 * `auth` asks at once, because the other agents are started after its question.
 */
import { createInterface } from 'node:readline';

const [role = 'auth'] = process.argv.slice(2);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
/** Pause between steps, so that a person can follow. A test sets it to 0. */
const PAUSE_MS = Number(process.env['ORCHD_DEMO_PAUSE_MS'] ?? 1200);

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
const say = (text: string) => process.stdout.write(`${text}\n`);

function sendMessage(type: string, data: Record<string, unknown>): void {
  say(['```orchestrator-message', JSON.stringify({ type, data }, null, 2), '```'].join('\n'));
}

async function ask(type: string, data: Record<string, unknown>): Promise<string> {
  sendMessage(type, data);
  const { value, done } = await lines.next();
  if (done) process.exit(0);
  return value;
}

const ROLES: Readonly<Record<string, () => Promise<void>>> = {
  async auth() {
    say('Looking at the login code …');
    sendMessage('STATUS_UPDATE', {
      progress: 10,
      currentStep: 'Reading the login code',
      totalSteps: 4,
      completedSteps: [],
    });
    const method = await ask('QUESTION', {
      question: 'Which authentication method should I use?',
      options: ['JWT', 'Session-based', 'OAuth2'],
      context: 'There is **no** authentication yet. The API is used by a web page and by two scripts.',
    });
    say(`Good: ${method}.`);
    sendMessage('STATUS_UPDATE', {
      progress: 55,
      currentStep: `Writing ${method}`,
      totalSteps: 4,
      completedSteps: ['Reading', 'Deciding'],
    });
    await pause();
    sendMessage('ERROR', {
      message: 'Test file not found',
      severity: 'warning',
      file: 'src/utils.test.ts',
      recoverable: true,
    });
    await pause();
    const verdict = await ask('REQUEST_REVIEW', {
      description: `Authentication by ${method} is ready for review`,
      files: ['src/auth/login.ts', 'src/auth/login.test.ts'],
      notes: 'Tokens are valid for a day.',
    });
    say(`The review says: ${verdict}`);
    await pause();
    sendMessage('TASK_COMPLETE', {
      summary: `Authentication by ${method}, reviewed: ${verdict}`,
      filesChanged: ['src/auth/login.ts'],
    });
  },
  async docs() {
    for (const [i, page] of ['Install', 'Guide', 'Reference', 'FAQ'].entries()) {
      sendMessage('STATUS_UPDATE', { progress: i * 25, currentStep: `Writing the page “${page}”` });
      say(`Writing ${page} …`);
      await pause();
    }
    say(':ORCHESTRATOR: QUESTION - Shall the FAQ mention the old command names?');
    const { value: answer } = await lines.next();
    say(`Answered: ${answer}`);
    await pause();
    say(':ORCHESTRATOR: TASK COMPLETE');
  },
  async deploy() {
    sendMessage('STATUS_UPDATE', { progress: 30, currentStep: 'Building the image' });
    await pause();
    const help = await ask('BLOCKED', {
      reason: 'The registry refuses the push',
      details: 'It answers `403 Forbidden`.',
      suggestedAction: 'Check the credentials in .env, then say “go on”.',
    });
    say(`Going on: ${help}`);
    sendMessage('STATUS_UPDATE', { progress: 80, currentStep: 'Pushing the image' });
    await pause();
    sendMessage('TASK_COMPLETE', { summary: 'The image is pushed' });
  },
};

await (ROLES[role] ?? ROLES['auth'])?.();
process.exit(0);
