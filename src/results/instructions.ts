/**
 * The instructions about a result's form: for the system prompt, and for a result that does not match. Pure.
 *
 * The first block is exactly the documented one, which agents and their authors know.
 */
import type { SchemaError, TaskTool } from '../protocol/index.js';

/** Appended to the system prompt of an agent with an output schema. */
export function schemaInstructions(schema: unknown): string {
  return `## Required Output Format

You MUST provide structured output as JSON conforming to this schema:

\`\`\`json
${JSON.stringify(schema, null, 2)}
\`\`\`

Your final response MUST be valid JSON that matches this schema exactly. Output ONLY the JSON, no additional text.`;
}

/** Maximum number of errors in a prompt. The prompt then says how many more there are. */
const MAX_SHOWN = 50;

/**
 * Returns the prompt for a result that does not match. It is sent once, in the same conversation.
 *
 * @param wanted The expected form, in words.
 * @param instructions The instructions for the form, which are repeated.
 */
export function retryPrompt(errors: readonly SchemaError[], wanted: string, instructions: string): string {
  const shown = errors.slice(0, MAX_SHOWN).map(({ path, message }) => `- ${path}: ${message}`);
  const left = errors.length - shown.length;
  return [
    `Your response does not match the required ${wanted}:`,
    '',
    ...shown,
    ...(left > 0 ? [`- and ${left} more`] : []),
    '',
    'Correct these errors and give your whole result again.',
    '',
    instructions,
  ].join('\n');
}

/** Appended to the system prompt of an agent whose result is an envelope. The agent's name and task are filled in. */
export function envelopeInstructions(agent: string, taskId: string): string {
  return `## Output Format

**CRITICAL:** All outputs must use this format for agent-to-agent communication:

\`\`\`markdown
<output>
{
  "status": "success|partial|failed",
  "summary": "One sentence outcome",
  "deliverables": ["list of files/artifacts"],
  "next_steps": ["recommended actions"],
  "metadata": {
    "agent": ${JSON.stringify(agent)},
    "task_id": ${JSON.stringify(taskId)},
    "duration_seconds": 0
  }
}

---
[Your full explanation for humans here]
</output>
\`\`\`

**The JSON block at top is for agents to parse.**
**The content after --- is for humans to read.**`;
}

/** Appended to the system prompt of an agent whose result is a tool call. */
export function callInstructions(tool: TaskTool): string {
  return `## How you end

You MUST call the \`${tool}\` tool of orchd, exactly once, as the last thing you do. Only that call counts: what you print is not read.

${CALLS[tool]}`;
}

const CALLS: Readonly<Record<TaskTool, string>> = {
  'planner-output': `It takes one of these:

- a plan: {"type": "plan", "summary": "...", "requirements": ["..."], "acceptanceCriteria": ["..."], "plan": ["..."], "assignedAgent": "..."}
- questions, where the person must decide something before there can be a plan: {"type": "questions", "questions": ["..."]}
- why it cannot be planned: {"type": "error", "error": "..."}`,
  'completion-report':
    'It takes {"summary": "...", "filesChanged": ["..."], "commitHash": "...", "outcome": "completed"}; ' +
    `\`filesChanged\` and \`commitHash\` may be left out, and \`outcome\` is "failed" when it could not be ` +
    'done: the summary says why then.',
};
