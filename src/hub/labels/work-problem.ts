/** Why a machine cannot take work of a label, in words for `orchd hub status`. */

/** The server's words name the consumer of the label: `workConsumer`. */
const REFUSED = /^Permissions Violation .*\.label_([A-Za-z0-9_-]+)/;

/** Returns the reason in words. If the server refuses a label, they have the option that permits it. */
export function workProblem(reason: string, machine: string): string {
  const [, label] = REFUSED.exec(reason) ?? [];
  if (label === undefined) return reason;
  const option = `--label ${machine}=${label}`;
  return `the server does not let this machine take work of "${label}"; \`orchd hub config ${option}\` permits it`;
}
