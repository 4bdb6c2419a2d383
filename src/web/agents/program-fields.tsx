/** The folded part of an agent's form: its program, its tools and its limits. */
import { useId } from 'react';
import type { BlueprintTool } from '../../protocol/index.js';
import { Choice, NumberField, TextArea, TextField } from '../parts/form-fields.js';
import type { AgentDraft, DraftField } from './draft.js';

/** What each tool does, in the order of the form. */
const TOOLS: Readonly<Record<BlueprintTool, string>> = {
  ask: 'asks you in the inbox',
  report_status: 'says what it does',
  report_blocked: 'says that it cannot go on',
  report_error: 'says what failed',
  request_review: 'asks for a review',
  task_complete: 'says that it is done',
  spawn_agent: 'starts other agents',
  'completion-report': 'ends the work on a task',
  'planner-output': 'ends the planning of a task',
};
// The record has no other keys.
const TOOL_NAMES = Object.keys(TOOLS) as readonly BlueprintTool[];

/** The properties of a text field of the form. */
export interface FieldState {
  readonly value: string;
  readonly errors: readonly string[];
  readonly isReadOnly: boolean;
  readonly onChange: (value: string) => void;
}

interface ProgramFieldsProps {
  readonly draft: AgentDraft;
  readonly adapters: readonly string[];
  readonly isOpen: boolean;
  readonly isReadOnly: boolean;
  readonly field: (name: DraftField) => FieldState;
  readonly change: (part: Partial<AgentDraft>) => void;
}

export function ProgramFields({ draft, adapters, isOpen, isReadOnly, field, change }: ProgramFieldsProps) {
  const listId = useId();
  return (
    <details className="form-part" open={isOpen}>
      <summary>Program, tools and limits</summary>
      <div className="form-grid">
        <TextField
          label="Agent program"
          hint="Default: the configured one."
          placeholder="claude"
          list={listId}
          {...field('adapter')}
        />
        <datalist id={listId}>
          {adapters.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextField label="Model" hint="As the program names it." {...field('model')} />
        <TextArea label="Arguments" hint="One per line." rows={2} isMono {...field('args')} />
        <TextField
          label="Environment"
          hint="Names of variables that it gets from the caller of a run. Never values."
          placeholder="API_TOKEN, REGION"
          {...field('env')}
        />
        <TextArea label="Prompt" hint="For runs without a prompt of their own." rows={2} {...field('prompt')} />
        <Choice
          label="Runs in a terminal"
          hint="In a terminal you can attach to it, and it can ask in the inbox."
          isReadOnly={isReadOnly}
          value={draft.interactive}
          options={[
            ['', 'only if the program has no other mode'],
            ['yes', 'yes'],
            ['no', 'no'],
          ]}
          errors={field('interactive').errors}
          onChange={(interactive) => change({ interactive })}
        />
        <Choice
          label="Result"
          hint="An envelope has a status, deliverables, next steps, and a text for people."
          isReadOnly={isReadOnly}
          value={draft.result}
          options={[
            ['text', 'text'],
            ['schema', 'JSON by the output schema'],
            ['envelope', 'an output envelope'],
          ]}
          errors={field('result').errors}
          onChange={(result) => change({ result })}
        />
        <NumberField label="Time limit, seconds" {...field('timeout')} />
        <NumberField label="Most turns" {...field('maxTurns')} />
        <NumberField label="Cost limit, US dollars" {...field('maxCost')} />
      </div>
      <ToolChoices tools={draft.tools} isReadOnly={isReadOnly} onChange={(tools) => change({ tools })} />
    </details>
  );
}

interface ToolChoicesProps {
  readonly tools: readonly BlueprintTool[];
  readonly isReadOnly: boolean;
  readonly onChange: (tools: readonly BlueprintTool[]) => void;
}

function ToolChoices({ tools, isReadOnly, onChange }: ToolChoicesProps) {
  const toggle = (tool: BlueprintTool, isOn: boolean): void =>
    onChange(TOOL_NAMES.filter((one) => (one === tool ? isOn : tools.includes(one))));
  return (
    <fieldset className="tool-choices" disabled={isReadOnly}>
      <legend>Tools of orchd</legend>
      {TOOL_NAMES.map((tool) => (
        <label key={tool} className="check">
          <input
            type="checkbox"
            checked={tools.includes(tool)}
            onChange={({ target }) => toggle(tool, target.checked)}
          />
          <span>
            <span className="mono">{tool}</span> <span className="muted small">{TOOLS[tool]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
