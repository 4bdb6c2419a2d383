/** Keeps the frame when a page fails, for example because orchd was upgraded and the page's script is gone. */
import { Component, type ReactNode } from 'react';
import { ErrorNote } from '../parts/error-note.js';

interface FailingState {
  readonly error: Error | null;
}

export class Failing extends Component<{ readonly children: ReactNode }, FailingState> {
  override state: FailingState = { error: null };

  static getDerivedStateFromError(error: unknown): FailingState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="page-body failing">
        <ErrorNote error={error} onRetry={() => location.reload()} />
      </div>
    );
  }
}
