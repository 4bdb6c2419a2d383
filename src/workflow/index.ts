/** Agentfiles: parsing, checking, formatting, planning, drawing and rehearsing. Pure. */

export type { ReadFile } from './checks/prompt-files.js';
export { judge } from './condition.js';
export { briefOf } from './execution/brief.js';
export {
  type Head,
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
export { type RunLocation, recordOf, summaryOf } from './execution/record.js';
export { createProgress, pendingEffects, step } from './execution/step.js';
export { graphMermaid } from './graph/mermaid.js';
export { graphOf } from './graph/model.js';
export { graphSvg } from './graph/svg.js';
export { graphText } from './graph/text.js';
export { takeInputs } from './inputs.js';
export { interpolate, textOf, variablesIn } from './interpolate.js';
export { outputSchema } from './output-schema.js';
export { type Check, check, type Parsing, parse } from './parse.js';
export { planOf } from './plan.js';
export { rehearsalText } from './rehearsal-text.js';
export { rehearse } from './rehearse.js';
export { format } from './syntax/format.js';
export { createLexer, emptyToken, type Token } from './syntax/lexer.js';
export type { Problem } from './syntax/problems.js';
export { synthesisPrompt } from './synthesis.js';
export type * from './workflow.js';
