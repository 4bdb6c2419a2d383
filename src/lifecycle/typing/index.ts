/** Typing: when text may be typed into a program, in which form, and whether the program took it. */

export { asWords } from './typed-text.js';
