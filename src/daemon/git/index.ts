/** The changes of sessions in their git repositories. */
export { changesIn } from './changes.js';
export { repositoryOf } from './repository.js';
export { commitIn, discardIn, mergeFrom } from './worktree-acts.js';
export { WorktreeSizes } from './worktree-sizes.js';
