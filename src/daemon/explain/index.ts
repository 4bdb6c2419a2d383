/** Explains items, events and states by the bytes that they came from. */
export { explain } from './explain.js';
