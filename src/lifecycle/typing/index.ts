/** Typing: when text may be typed into a program, in which form, and whether the program took it. */

export { asWords, type InputRules } from './typed-text.js';
