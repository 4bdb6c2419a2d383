/**
 * The definition of an agent as its form has it: texts, as a person types them. Pure.
 *
 * In:   a blueprint; then what the person changes.
 * Out:  the definition, or the fields that have none yet. Fields that the form does not show stay as they were.
 */
import { type Blueprint, type BlueprintDefinition, type BlueprintTool, definitionOf } from '../../protocol/index.js';
import { readJsonText } from '../code/json-text.js';

export interface AgentDraft {
  readonly name: string;
  readonly description: string;
  readonly instructions: string;
  readonly prompt: string;
  readonly adapter: string;
  readonly model: string;
  /** One argument per line. */
  readonly args: string;
  /** Names of variables, separated by blanks or commas. */
  readonly env: string;
  readonly tools: readonly BlueprintTool[];
  /** '' stands for the default. */
  readonly interactive: '' | 'yes' | 'no';
  readonly result: 'text' | 'schema' | 'envelope';
  readonly outputSchema: string;
  readonly takesInput: boolean;
  readonly inputSchema: string;
  readonly timeout: string;
  readonly maxTurns: string;
  readonly maxCost: string;
}

export type DraftField = keyof AgentDraft;
type FieldProblems = Readonly<Partial<Record<DraftField, readonly string[]>>>;

const EXAMPLE_SCHEMA = `{
  "type": "object",
  "required": ["summary"],
  "properties": {
    "summary": {
      "type": "string",
      "description": "The main summary"
    },
    "key_points": {
      "type": "array",
      "items": { "type": "string" },
      "description": "Key points from the document"
    }
  }
}`;

const EXAMPLE_INPUT = `{
  "type": "object",
  "required": ["path"],
  "properties": {
    "path": {
      "type": "string",
      "description": "The file to work on"
    }
  }
}`;

export const NEW_AGENT: AgentDraft = {
  name: '',
  description: '',
  instructions: '',
  prompt: '',
  adapter: '',
  model: '',
  args: '',
  env: '',
  tools: [],
  interactive: '',
  result: 'text',
  outputSchema: EXAMPLE_SCHEMA,
  takesInput: false,
  inputSchema: EXAMPLE_INPUT,
  timeout: '',
  maxTurns: '',
  maxCost: '',
};

const pretty = (schema: unknown): string => JSON.stringify(schema, null, 2);
const numberText = (value: number | undefined): string => (value === undefined ? '' : String(value));

export function draftOf(blueprint: Blueprint): AgentDraft {
  const { name, description, instructions = '', prompt = '', adapter = '', model = '' } = blueprint;
  const {
    args = [],
    env = [],
    tools = [],
    interactive,
    output_schema,
    output_format,
    input_schema,
    limits,
  } = blueprint;
  return {
    name,
    description,
    instructions,
    prompt,
    adapter,
    model,
    tools,
    args: args.join('\n'),
    env: env.join(' '),
    interactive: interactive === undefined ? '' : interactive ? 'yes' : 'no',
    result: output_schema !== undefined ? 'schema' : output_format === 'envelope' ? 'envelope' : 'text',
    outputSchema: output_schema === undefined ? EXAMPLE_SCHEMA : pretty(output_schema),
    takesInput: input_schema !== undefined,
    inputSchema: input_schema === undefined ? EXAMPLE_INPUT : pretty(input_schema),
    timeout: numberText(limits?.timeout),
    maxTurns: numberText(limits?.max_turns),
    maxCost: numberText(limits?.max_cost),
  };
}

interface DraftReading {
  /** The definition. If there are problems, only its correct parts. */
  readonly definition: BlueprintDefinition;
  /** The fields that cannot be read. */
  readonly problems: FieldProblems;
}

/** @param base  The edited agent. Its fields that the form does not show are kept. Null for a new agent. */
export function readDraft(draft: AgentDraft, base: Blueprint | null): DraftReading {
  const problems: { [F in DraftField]?: string[] } = {};
  const schemaOf = (field: 'outputSchema' | 'inputSchema'): unknown => {
    const reading = readJsonText(draft[field]);
    if (reading.ok) return reading.value;
    problems[field] = reading.problems.map(({ message }) => message);
    return undefined;
  };
  const numberOf = (field: 'timeout' | 'maxTurns' | 'maxCost'): number | undefined => {
    const text = draft[field].trim();
    if (text === '') return undefined;
    const value = Number(text);
    if (Number.isFinite(value)) return value;
    problems[field] = ['Write a number.'];
    return undefined;
  };
  const { outputSchema, inputSchema } = {
    outputSchema: draft.result === 'schema' ? schemaOf('outputSchema') : undefined,
    inputSchema: draft.takesInput ? schemaOf('inputSchema') : undefined,
  };
  const limits = defined({
    timeout: numberOf('timeout'),
    max_turns: numberOf('maxTurns'),
    max_cost: numberOf('maxCost'),
  });
  const kept = base ? definitionOf(base) : { name: draft.name };
  const args = draft.args.split('\n').filter((line) => line !== '');
  const env = draft.env.split(/[\s,]+/).filter(Boolean);
  const definition = defined({
    ...kept,
    name: draft.name.trim(),
    type: 'autonomous' as const,
    description: draft.description.trim(),
    instructions: textOf(draft.instructions),
    prompt: textOf(draft.prompt),
    adapter: textOf(draft.adapter.trim()),
    model: textOf(draft.model.trim()),
    args: args.length > 0 ? args : undefined,
    env: env.length > 0 ? env : undefined,
    tools: draft.tools.length > 0 ? draft.tools : undefined,
    interactive: draft.interactive === '' ? undefined : draft.interactive === 'yes',
    input_schema: inputSchema,
    output_schema: outputSchema,
    output_format: draft.result === 'envelope' ? ('envelope' as const) : undefined,
    limits: Object.keys(limits).length > 0 ? limits : undefined,
  });
  return { definition: definition as BlueprintDefinition, problems }; // only undefined fields were left out
}

const textOf = (text: string): string | undefined => (text.trim() === '' ? undefined : text);

const defined = <T extends object>(value: T): Partial<T> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>; // it omits fields

/** Returns the form's field for a path of the definition; null if there is none. */
export function fieldOf(path: string): DraftField | null {
  const [, first = '', second = ''] = /^\$\.(\w+)(?:\.(\w+))?/.exec(path) ?? [];
  const limit = first === 'limits' ? LIMIT_FIELDS[second] : undefined;
  return limit ?? FIELDS[first] ?? null;
}

const LIMIT_FIELDS: Readonly<Record<string, DraftField>> = {
  timeout: 'timeout',
  max_turns: 'maxTurns',
  max_cost: 'maxCost',
};
const FIELDS: Readonly<Record<string, DraftField>> = {
  name: 'name',
  description: 'description',
  instructions: 'instructions',
  prompt: 'prompt',
  adapter: 'adapter',
  model: 'model',
  args: 'args',
  env: 'env',
  tools: 'tools',
  interactive: 'interactive',
  output_format: 'result',
  output_schema: 'outputSchema',
  input_schema: 'inputSchema',
};
