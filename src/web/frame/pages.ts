/** The pages, in the order of the navigation. */
import type { ComponentType } from 'react';
import { InboxPage } from '../inbox/inbox-page.js';
import type { IconName } from '../parts/icon.js';

export interface PageSpec {
  /** The first part of its path below /ui. */
  readonly path: string;
  readonly title: string;
  readonly icon: IconName;
  /** `g` and this key lead here. */
  readonly key: string;
  readonly page: ComponentType<{ readonly rest: string }>;
}

export const PAGES: readonly PageSpec[] = [{ path: 'inbox', title: 'Inbox', icon: 'inbox', key: 'i', page: InboxPage }];
