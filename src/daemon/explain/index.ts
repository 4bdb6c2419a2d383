/** Explains items, events and states by the bytes that they came from. */
export { type ExplainPorts, explain } from './explain.js';
