/** Words for people, the same in the CLI, the TUI and the dashboard. */
export * from './change-words.js';
export * from './delivery-words.js';
export * from './message-words.js';
export * from './span-words.js';
export * from './steps-words.js';
export * from './typed-of-answer.js';
export * from './usage-words.js';
export * from './value-text.js';
