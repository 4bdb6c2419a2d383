/**
 * An editor for code: CodeMirror, loaded with the first page that needs it.
 *
 * Tab leaves it, as on any field. Ctrl-Space completes, Ctrl-Shift-M lists the problems, F8 goes to the next one.
 */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  placeholder as placeholderOf,
} from '@codemirror/view';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { TextProblem } from './json-text.js';
import { HIGHLIGHTS, THEME } from './theme.js';
import './code.css';

export interface CodeEditorProps {
  readonly value: string;
  /** The highlighting and the completion of the language. */
  readonly language: Extension;
  readonly label: string;
  readonly problems: readonly TextProblem[];
  readonly isReadOnly?: boolean;
  readonly placeholder?: string;
  readonly onChange?: (value: string) => void;
  /** Called for Ctrl-S or Cmd-S. */
  readonly onSave?: () => void;
  /** Receives a function that selects a range, for lists of problems beside the editor. */
  readonly onReady?: (select: (from: number, to: number) => void) => void;
}

export function CodeEditor(props: CodeEditorProps) {
  const { value, language, label, problems, isReadOnly = false, placeholder = '' } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;

  // Before the browser paints, so that the page is never shown without the editor's height.
  useLayoutEffect(() => {
    if (!place.current) return;
    const { value: doc, onReady } = latest.current;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc,
        extensions: [
          [lineNumbers(), foldGutter(), lintGutter(), highlightSpecialChars(), history(), drawSelection()],
          [indentOnInput(), indentUnit.of('  '), bracketMatching(), closeBrackets(), highlightActiveLine()],
          [
            autocompletion({ icons: false, interactionDelay: 0 }),
            syntaxHighlighting(HIGHLIGHTS),
            THEME,
            EditorView.lineWrapping,
          ],
          keymap.of([
            { key: 'Mod-s', preventDefault: true, run: () => save(latest.current) },
            ...closeBracketsKeymap,
            ...defaultKeymap,
            ...historyKeymap,
            ...foldKeymap,
            ...completionKeymap,
            ...lintKeymap,
          ]),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          placeholder === '' ? [] : placeholderOf(placeholder),
          isReadOnly ? [EditorState.readOnly.of(true), EditorView.editable.of(false)] : [],
          language,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange?.(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    onReady?.((from, to) => {
      const end = made.state.doc.length;
      made.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
      made.focus();
    });
    return () => {
      view.current = null;
      made.destroy();
    };
  }, [language, label, isReadOnly, placeholder]);

  useEffect(() => {
    const shown = view.current;
    if (shown && value !== shown.state.doc.toString())
      shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const shown = view.current;
    if (!shown) return;
    const most = shown.state.doc.length;
    const marks: Diagnostic[] = problems.map(({ from, to, severity, message }) => ({
      severity,
      message,
      from: Math.min(from, most),
      to: Math.min(Math.max(from, to), most),
    }));
    shown.dispatch(setDiagnostics(shown.state, marks));
  }, [problems]);

  return <div className="code-editor" ref={place} data-read-only={isReadOnly} />;
}

const save = ({ onSave }: CodeEditorProps): boolean => {
  onSave?.();
  return onSave !== undefined;
};
