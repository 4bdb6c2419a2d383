/**
 * Plugins for agents that write no transcript of lines, or one that cannot be matched to a session. They append the
 * agent's words to the session's feed, as items of adapter.ts. They run inside the agent, so they import only `node:fs`
 * and never throw.
 */
import type { Reading, TranscriptItem } from '../adapter.js';
import { asText, type Json, NOTHING, parseRecord, reading } from '../record.js';
import { usage } from '../usage.js';
import { FEED_VARIABLE } from './launch.js';

/** @param feed  The path of the feed, as an expression of JavaScript. */
const tellTo = (feed: string): string => `import { appendFileSync } from 'node:fs';
const feed = ${feed};
const tell = (item) => {
  try {
    appendFileSync(feed, JSON.stringify({ ...item, time: Date.now() }) + '\\n', { mode: 0o600 });
  } catch {
    // The item is lost, but the agent is not disturbed.
  }
};
`;

/**
 * The source of an extension for pi: https://github.com/badlogic/pi-mono, docs/extensions.md. The path of the feed is
 * not in a variable, so pi's tools cannot find it there.
 */
export const piExtension = (feed: string): string => `${tellTo(JSON.stringify(feed))}
const textsOf = (content) =>
  typeof content === 'string' ? [content] : content.filter((part) => part.type === 'text').map((part) => part.text);

export default function orchd(pi) {
  pi.on('session_start', (_event, context) =>
    tell({ kind: 'session', agentSessionId: context.sessionManager.getSessionId() }),
  );
  pi.on('message_end', ({ message }) => {
    if (message.role === 'user') tell({ kind: 'prompt', text: textsOf(message.content).join('\\n') });
    if (message.role === 'assistant') for (const text of textsOf(message.content)) tell({ kind: 'text', text });
    const { usage } = message;
    if (usage) {
      const { input, output, cacheRead, cacheWrite, cost } = usage;
      tell({ kind: 'usage', input: [input, cacheRead, cacheWrite], output: [output], cached: [cacheRead], cost: [cost?.total] });
    }
  });
  pi.on('agent_end', () => tell({ kind: 'idle' }));
  pi.on('user_bash', () => tell({ kind: 'local' }));
}
`;

/**
 * The source of a plugin for OpenCode. An OpenCode that runs in a shell of the agent has the same configuration, but
 * must not report for this session. The path of the feed is therefore in a variable that the shells do not get.
 */
export const OPENCODE_PLUGIN = `${tellTo(`process.env.${FEED_VARIABLE}`)}
export const Orchd = async () => {
  const roles = new Map();
  const told = new Set();
  const children = new Set();
  let current = null;
  const listen = ({ type, properties }) => {
    const { info, part } = properties ?? {};
    if (type.startsWith('session.') && info?.parentID) children.add(info.id);
    const session = properties?.sessionID ?? info?.sessionID ?? part?.sessionID;
    if (type === 'message.updated' && info.role === 'assistant' && info.time?.completed) {
      const { input, output, reasoning, cache } = info.tokens ?? {};
      const cached = cache?.read;
      tell({
        kind: 'usage',
        id: info.id,
        input: [input, cached, cache?.write],
        output: [output, reasoning],
        cached: [cached],
        cost: [info.cost],
      });
    }
    if (children.has(session)) return;
    if (type === 'message.updated') {
      roles.set(info.id, info.role);
      if (session && session !== current) tell({ kind: 'session', agentSessionId: session });
      if (session) current = session;
    }
    if (type === 'message.part.updated' && part.type === 'text' && !part.synthetic && !part.ignored && !told.has(part.id)) {
      const role = roles.get(part.messageID);
      const isWhole = role === 'user' || (role === 'assistant' && part.time?.end);
      if (!isWhole) return;
      told.add(part.id);
      tell({ kind: role === 'user' ? 'prompt' : 'text', text: part.text });
    }
    if (type === 'session.idle') tell({ kind: 'idle' });
    if (type === 'permission.asked') {
      tell({ kind: 'attention', text: ['Permission:', properties.permission, ...(properties.patterns ?? [])].join(' ') });
    }
    if (type === 'question.asked') {
      tell({ kind: 'attention', text: (properties.questions ?? []).map(({ question }) => question).join('\\n') });
    }
  };
  return {
    event: async ({ event }) => {
      try {
        listen(event);
      } catch {
        // The event comes from another version and has another shape.
      }
    },
    'shell.env': async (_input, output) => {
      output.env.${FEED_VARIABLE} = '';
    },
  };
};
`;

/** Reads a line that these plugins have appended. */
export function readFeed(line: string): Reading {
  const record = parseRecord(line);
  if (record?.['kind'] === 'usage') return reading(record['time'], usageIn(record));
  const item = record && itemOf(record['kind'], asText(record['text']) ?? '', asText(record['agentSessionId']));
  return item ? reading(record['time'], [item]) : NOTHING;
}

/** Each number is a list of summands. */
function usageIn(record: Json): TranscriptItem[] {
  const list = (name: string): readonly unknown[] => {
    const value = record[name];
    return Array.isArray(value) ? value : [];
  };
  return usage(record['id'], {
    input: list('input'),
    output: list('output'),
    cached: list('cached'),
    cost: list('cost'),
  });
}

function itemOf(kind: unknown, text: string, agentSessionId: string | null): TranscriptItem | null {
  switch (kind) {
    case 'text':
    case 'prompt':
    case 'attention':
      return text === '' ? null : { kind, text };
    case 'idle':
    case 'local':
      return { kind };
    case 'session':
      return agentSessionId === null ? null : { kind, agentSessionId, path: null, isOld: false };
    default:
      return null;
  }
}
