/** The editor for JSON Schemas, with completion of keywords, types, fields and references. */
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { json, jsonLanguage } from '@codemirror/lang-json';
import type { Extension } from '@codemirror/state';
import { CodeEditor, type CodeEditorProps } from './code-editor.js';
import { proposalsAt } from './schema-words.js';

const LANGUAGE: Extension = [json(), jsonLanguage.data.of({ autocomplete: complete })];

export default function SchemaEditor(props: Omit<CodeEditorProps, 'language'>) {
  return <CodeEditor {...props} language={LANGUAGE} />;
}

function complete(context: CompletionContext): CompletionResult | null {
  const { state, pos } = context;
  if (!context.explicit && !context.matchBefore(/[\w$"]/)) return null;
  const found = proposalsAt(state.doc.toString(), pos);
  if (!found) return null;
  const { from, to, list } = found;
  const typed = state.sliceDoc(from, pos).replaceAll('"', '').toLowerCase();
  return {
    from,
    to,
    filter: false,
    // The list is updated at once: while it waits for new content, Enter would begin a new line.
    update: (_current, _from, _to, changed) => complete(changed),
    options: list
      .filter(({ label }) => label.toLowerCase().includes(typed))
      .map(({ label, detail, text, cursor = text.length }) => ({
        label,
        detail,
        apply: (view) =>
          view.dispatch({
            changes: { from, to, insert: text },
            selection: { anchor: from + cursor },
            userEvent: 'input.complete',
          }),
      })),
  };
}
