/** The editor in the colours of the page, in both themes. */
import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const THEME = EditorView.theme({
  '&': { backgroundColor: 'var(--code)', color: 'var(--text)', fontSize: 'var(--t-m)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--select)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--line-hover)' },
  '.cm-gutters': { backgroundColor: 'var(--code)', color: 'var(--muted)', border: 'none' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft)',
    outline: '1px solid var(--line-strong)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r-m)',
    boxShadow: 'var(--shadow)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', fontSize: 'var(--t-s)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent-ground)',
    color: 'var(--on-accent)',
  },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', fontFamily: 'var(--font)' },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--on-accent)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-diagnostic': { padding: '6px 10px', fontFamily: 'var(--font)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--bad)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--warn)' },
  '.cm-panels': { backgroundColor: 'var(--panel)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { backgroundColor: 'var(--accent-soft)' },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--hover)', border: 'none', color: 'var(--soft)' },
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-specialChar': { color: 'var(--bad)' },
});

export const HIGHLIGHTS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--info)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
  { tag: [tags.keyword, tags.controlKeyword], color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.typeName, color: 'var(--violet)' },
  { tag: [tags.definition(tags.name), tags.function(tags.name)], color: 'var(--text)', fontWeight: '600' },
  { tag: tags.special(tags.variableName), color: 'var(--info)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.escape, color: 'var(--violet)' },
  { tag: tags.invalid, color: 'var(--bad)' },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.operator], color: 'var(--soft)' },
]);
