/** Answers to items, and typing into programs. */
export { Answers } from './answers.js';
export { IdleWatch } from './idle-watch.js';
export { mayRead, readsTerminal } from './prompt.js';
export { childrenOf, isAtCommands, takesCommands } from './shells.js';
export { sentWords, typedAnswer, typedWords } from './typed-words.js';
export { Typist } from './typist.js';
