/** The words of an item: its question, and the sections with its context. */
import { displayText, type Item, messageWords } from '../../protocol/index.js';
import { Markdown } from '../text/markdown.js';

export function ItemWords({ item }: { readonly item: Item }) {
  const { subject, sections } = messageWords(item);
  return (
    <>
      <div className="question">
        <Markdown text={subject} />
      </div>
      {sections.map(({ title, text, isMarkdown }) => (
        <section key={title ?? ''} className="item-section">
          {title !== null && <h2>{title}</h2>}
          {isMarkdown ? <Markdown text={text} /> : <pre className="plain">{displayText(text)}</pre>}
        </section>
      ))}
    </>
  );
}
