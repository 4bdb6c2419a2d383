/** Renders rows of text in Ink, one `Text` each. A row is rendered again only if its text changed. */
import { Box, Text } from 'ink';
import { memo } from 'react';

const Row = memo(function Row({ text }: { readonly text: string }) {
  return <Text wrap="truncate-end">{text === '' ? ' ' : text}</Text>;
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
