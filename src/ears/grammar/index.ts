/** The grammar: text in, utterances out. An utterance is a block, a marker or an envelope. */
export { beforeEnd } from './envelopes.js';
export { readText, structuredCopy, type TextSpan, type Utterance } from './grammar.js';
export { bareHeadsIn, fenceHintIn, type Hint, hintIn, hintKey, hintOf } from './hints.js';
export { type MarkerType, parseMarker } from './markers.js';
