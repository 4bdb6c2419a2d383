/**
 * Returns the protocol as instructions for an agent. The example block is indented and has a type that the protocol
 * does not contain. The prompt is therefore never read as a message, not even as an invalid one, when it is shown or
 * echoed.
 *
 * @param hasTools True if the agent also has the tools.
 */
export function promptText(key: string | undefined, hasTools = false): string {
  const keyField = key === undefined ? '' : `"key": ${JSON.stringify(key)}, `;
  const keyLine =
    key === undefined ? '' : `Every object must have the field "key": ${JSON.stringify(key)} at its top, exactly so.\n`;
  const toolsLine = hasTools
    ? '\nIf you have tools of orchd (ask, report_status, report_blocked, report_error, request_review, task_complete), call them instead of printing a block, never both; `ask` returns the answer.\n'
    : '';
  return `A person supervises you through orchd, which reads your output. When one of the cases below applies, print a fenced code block whose
language is orchestrator-message, with exactly one JSON object in it and nothing else, such as this one, but without the indentation:

    \`\`\`orchestrator-message
    {${keyField}"type": "<TYPE>", "data": {...}}
    \`\`\`

${keyLine}The types and their data (* must be there):
- QUESTION when you need a decision: question*, options (array of strings), context. Then stop and wait: the answer is your next input.
- BLOCKED when you cannot go on: reason*, details, suggestedAction. Then stop and wait.
- REQUEST_REVIEW before a step that wants approval: description*, files (array), notes. Then stop and wait for "approve" or "request changes: ...".
- STATUS_UPDATE now and then in long work: progress (0 to 100), currentStep; one of the two must be there; totalSteps, completedSteps (array).
- ERROR for what went wrong without stopping you: message*, severity (info, warning, error or critical), file, recoverable (true or false).
- TASK_COMPLETE at the very end: summary*, filesChanged (array), commitHash.

One message a block. Keep strings short and on one line. Do not indent the block, quote it or put it in a list.
${toolsLine}`;
}
