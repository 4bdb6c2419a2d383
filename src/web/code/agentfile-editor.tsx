/** The editor for Agentfiles: highlighted by the lexer of `src/workflow`, with the problems of its checks. */
import { type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { agentfileTokens } from './agentfile-tokens.js';
import { CodeEditor, type CodeEditorProps } from './code-editor.js';

const MARKS = new Map<string, Decoration>();
function markOf(kind: string): Decoration {
  const known = MARKS.get(kind);
  if (known) return known;
  const made = Decoration.mark({ class: `agentfile-${kind}` });
  MARKS.set(kind, made);
  return made;
}

function highlights(text: string): DecorationSet {
  const ranges: Range<Decoration>[] = agentfileTokens(text).map(({ from, to, kind }) => markOf(kind).range(from, to));
  return Decoration.set(ranges);
}

const LANGUAGE = StateField.define<DecorationSet>({
  create: ({ doc }) => highlights(doc.toString()),
  update: (shown, { docChanged, newDoc }) => (docChanged ? highlights(newDoc.toString()) : shown),
  provide: (field) => EditorView.decorations.from(field),
});

export default function AgentfileEditor(props: Omit<CodeEditorProps, 'language'>) {
  return <CodeEditor {...props} language={LANGUAGE} />;
}
