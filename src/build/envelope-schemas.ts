/**
 * The JSON Schemas of an envelope's JSON part, for programs that write or read envelopes without orchd: the part for
 * every agent, the fields of a manager, and those that `partial` and `failed` require. They are generated from the
 * message's schema, which is the source of truth.
 */
interface JsonSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

const OWN = ['subtasks', 'completion_percentage', 'issues', 'error'] as const;
type Own = (typeof OWN)[number];

interface Form {
  readonly title: string;
  readonly description: string;
  /** The optional fields that this kind of envelope has. */
  readonly has: readonly Own[];
  readonly requires: readonly Own[];
  readonly status?: string;
}

const FORMS: Readonly<Record<string, Form>> = {
  base: { title: 'Envelope', description: 'What every agent gives.', has: [], requires: [] },
  manager: {
    title: 'ManagerEnvelope',
    description: 'What a manager agent gives: what it delegated as well.',
    has: ['subtasks'],
    requires: ['subtasks'],
  },
  partial: {
    title: 'PartialEnvelope',
    description: 'What an agent gives that has done a part.',
    status: 'partial',
    has: ['completion_percentage', 'issues'],
    requires: ['issues'],
  },
  failed: {
    title: 'FailedEnvelope',
    description: 'What an agent gives that has failed.',
    status: 'failed',
    has: ['error'],
    requires: ['error'],
  },
};

/**
 * @param message The content of protocol/messages/output.schema.json.
 * @returns The text of each file, by its path from the root.
 */
export function envelopeSchemas(message: Readonly<Record<string, unknown>>): Record<string, string> {
  const { data } = message['properties'] as { data: JsonSchema }; // The schema is a file of this repository.
  const files = Object.entries(FORMS).map(([name, form]) => [
    `protocol/envelope/${name}.schema.json`,
    fileOf(data, form),
  ]);
  return Object.fromEntries(files);
}

function fileOf({ properties, required }: JsonSchema, { title, description, has, requires, status }: Form): string {
  const kept = Object.entries(properties).filter(
    ([field]) => !OWN.some((own) => own === field) || has.some((own) => own === field),
  );
  const fields = Object.fromEntries(kept);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    description: `${description} Extra keys are kept everywhere.`,
    type: 'object',
    required: [...required, ...requires],
    properties: status === undefined ? fields : { ...fields, status: { const: status } },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
