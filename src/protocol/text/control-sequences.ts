/**
 * Matches the control sequences of ECMA-48 (CSI), such as `ESC [ 1 ; 31 m`: colours, modes, cursor movements, keys. Use
 * it with `replace`, because a global expression keeps its position between calls of `test` and `exec`.
 */
export const CONTROL_SEQUENCES = /\x1b\[[0-?]*[ -/]*[@-~]/g;
