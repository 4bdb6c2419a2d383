/** Candidates: the texts on a screen that could be messages. */
export { CandidateReader, mayBeFenced } from './candidate-reader.js';
export { AROUND, type Candidate, FENCE, indentOf, isLabel, type Reading, type Span } from './candidates.js';
export { Exactness, type ExactnessState } from './exactness.js';
export { FenceEnds, type FenceEndsState } from './fence-ends.js';
export { type MissedHint, missOf, type NearMiss, NearMisses, type NearMissState } from './near-misses.js';
export { ObjectMemo } from './object-memo.js';
