/** Agentfiles: parsing, checking, formatting, planning, drawing and rehearsing. Pure. */
export { judge, type Verdict } from './condition.js';
export { briefOf } from './execution/brief.js';
export {
  type Head,
  isWorkflowOver,
  type Means,
  type Part,
  type PartRequest,
  type Progress,
  type RunEnd,
  type StepProgress,
  unbegun,
  type WorkflowDecision,
  type WorkflowEffect,
  type WorkflowInput,
} from './execution/progress.js';
export { recordOf, summaryOf } from './execution/record.js';
export { createProgress, pendingEffects, step } from './execution/step.js';
export { type Formatting, format } from './format.js';
export { graphMermaid } from './graph/mermaid.js';
export { graphSvg } from './graph/svg.js';
export { graphText } from './graph/text.js';
export { type Inputs, takeInputs } from './inputs.js';
export { interpolate, textOf, type Values, variablesIn } from './interpolate.js';
export { outputSchema } from './output-schema.js';
export { type Check, check, type ParseOptions, type Parsing, parse } from './parse.js';
export { type Plan, planOf, type Step } from './plan.js';
export type { Problem, ProblemCode } from './problems.js';
export type { ReadFile } from './prompt-files.js';
export { rehearsalText } from './rehearsal-text.js';
export { type Calls, type Rehearsal, type RehearsedStep, rehearse } from './rehearse.js';
export { type Contribution, synthesisPrompt } from './synthesis.js';
export type * from './workflow.js';
