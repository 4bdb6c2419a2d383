/**
 * Keeps the frame when a page fails. A page whose files could not be loaded is loaded again as soon as the daemon
 * answers: it was away, or orchd was upgraded and its files have other names.
 */
import { Component, type ReactNode } from 'react';
import { Empty } from '../parts/empty.js';
import { ErrorNote } from '../parts/error-note.js';

interface FailingProps {
  readonly isLive: boolean;
  readonly children: ReactNode;
}

interface FailingState {
  readonly error: Error | null;
}

const LOAD_ERROR = /preload css|dynamically imported module|importing a module script/i;
const RELOADED_KEY = 'orchd.reloaded';
/** A page that fails again this soon after a reload is not reloaded by itself. */
const RELOAD_REST_MS = 10_000;

export class Failing extends Component<FailingProps, FailingState> {
  override state: FailingState = { error: null };

  static getDerivedStateFromError(error: unknown): FailingState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidMount(): void {
    this.componentDidUpdate();
  }

  override componentDidUpdate(): void {
    const { error } = this.state;
    if (!error || !LOAD_ERROR.test(error.message) || !this.props.isLive) return;
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) < RELOAD_REST_MS) return;
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
    location.reload();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    if (!this.props.isLive && LOAD_ERROR.test(error.message))
      return (
        <Empty title="This page is not loaded yet" isWholePage>
          The daemon does not answer. The page appears as soon as it does.
        </Empty>
      );
    return (
      <div className="page-body failing">
        <ErrorNote error={error} onRetry={() => location.reload()} />
      </div>
    );
  }
}
