/** Layouts of projects: which sessions they start, and how their screens are split. */
export { findLayout, type Layout, type LayoutSession, layoutPlace, readLayout } from './layout-file.js';
export { saveSplit } from './save-split.js';
export {
  evenParts,
  leaf,
  leavesOf,
  moveEdge,
  removeLeaf,
  renameLeaves,
  type SplitNode,
  type SplitWay,
  splitLeaf,
  splitTiles,
  treeOfGrid,
} from './split-tree.js';
export { layoutTrust } from './trust.js';
