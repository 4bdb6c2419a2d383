/** The close codes of terminal streams, as protocol/terminal-stream.md defines them. */
export const CLOSE = {
  /** The program has ended, or the client leaves. */
  normal: 1000,
  /** The daemon stops. */
  goingAway: 1001,
  notAllowed: 1008,
  failed: 1011,
  /** The other machine cannot be reached. */
  machineLost: 4001,
} as const;
