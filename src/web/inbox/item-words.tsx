/** The words of an item: its question, and the sections with its context. */
import { displayText, type Item, messageWords } from '../../protocol/index.js';
import { Markdown } from '../text/markdown.js';

type Section = ReturnType<typeof messageWords>['sections'][number];

export function ItemWords({ item }: { readonly item: Item }) {
  const { subject, sections } = messageWords(item);
  return (
    <>
      <div className="question">
        <Markdown text={subject} />
      </div>
      <Sections sections={sections} />
    </>
  );
}

/** The parts of a message beside its subject, each with its title. */
export const Sections = ({ sections }: { readonly sections: readonly Section[] }) =>
  sections.map(({ title, text, isMarkdown }) => (
    <section key={title ?? ''} className="item-section">
      {title !== null && <h2>{title}</h2>}
      {isMarkdown ? <Markdown text={text} /> : <pre className="plain">{displayText(text)}</pre>}
    </section>
  ));
