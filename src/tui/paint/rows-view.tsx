/** Renders rows of text in Ink, one `Text` each. A row is rendered again only if its text changed. */
import { Box, Text } from 'ink';
import { createContext, memo, useContext, useEffect, useMemo } from 'react';
import type { RowMarks } from './row-marks.js';

/** Marks that stand for rows in the frames of Ink; null if Ink draws the text itself. */
export const RowMarksContext = createContext<RowMarks | null>(null);

const Row = memo(function Row({ text }: { readonly text: string }) {
  const marks = useContext(RowMarksContext);
  const marked = useMemo(() => marks?.take(text) ?? null, [marks, text]);
  useEffect(() => (marked === null ? undefined : () => marks?.release(marked.mark)), [marks, marked]);
  if (marked === null) return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
  return (
    <Box width={marked.width} flexShrink={0}>
      <Text>{marked.mark}</Text>
    </Box>
  );
});

export function Rows({ rows }: { readonly rows: readonly string[] }) {
  return (
    <Box flexDirection="column" flexShrink={0}>
      {rows.map((text, y) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <Row key={y} text={text} />
      ))}
    </Box>
  );
}
