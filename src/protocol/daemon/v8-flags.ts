/**
 * Flags of V8 for the daemon. V8 takes code that it compiled earlier only for the same flags, so the build needs them
 * too.
 */

/**
 * How V8 keeps the daemon's memory small. The size of the young generation is in MB: with a smaller one, garbage is
 * promoted before it is collected. The old generation is collected when it has grown by this percentage; by default, V8
 * lets it grow to four times its size.
 */
export const HEAP_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'] as const;

/**
 * Maximum bytecode size of a function with everything that V8 inlines into it; V8's default is 920. The readers consist
 * of many small functions. Compiling them inlined took a third of the daemon's time for the first megabytes, and the
 * result was no faster. The daemon sets this flag itself: Node would not start with a flag that its V8 does not have.
 */
export const INLINING_FLAG = '--max-inlined-bytecode-size-cumulative=300';
