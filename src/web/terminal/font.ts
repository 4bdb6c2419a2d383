/** The font of terminals: that of the page's code. */
export const TERMINAL_FONT =
  'ui-monospace, "SF Mono", "Cascadia Mono", "JetBrains Mono", Menlo, "DejaVu Sans Mono", monospace';
