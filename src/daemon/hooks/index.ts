/** Hooks of agents that ask for permission. */
export { Hooks } from './hooks.js';
