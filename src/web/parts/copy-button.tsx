/** A button of the dashboard that copies a text to the clipboard and reports whether the browser allowed it. */
import { useState } from 'react';

/** A button that copies a text unchanged. */
export function CopyButton({ text }: { readonly text: string }) {
  const [state, setState] = useState<'' | 'done' | 'failed'>('');
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('done'),
      () => setState('failed'),
    );
  };
  return (
    <button type="button" className="button quiet copy" onClick={copy} onBlur={() => setState('')}>
      <span role="status">{state === 'done' ? 'Copied' : state === 'failed' ? 'Not allowed' : 'Copy'}</span>
    </button>
  );
}
