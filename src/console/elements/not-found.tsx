import type { ComponentChildren } from 'preact';
import { hrefOf } from '../router.ts';
import { Page } from './page.tsx';

interface NotFoundProps {
  /** URL path segments of the page that the link opens. */
  readonly back: readonly string[];
  readonly backLabel: string;
  /** Reason why nothing is shown. Default: the page does not exist, or the viewer may not see it. */
  readonly reason?: ComponentChildren;
}

/** Message for a path without a page. */
export const NotFound = ({ back, backLabel, reason }: NotFoundProps) => (
  <Page title="Page not found">
    <p>{reason ?? 'This page does not exist, or your roles do not permit it.'}</p>
    <p>
      <a href={hrefOf(back)}>{backLabel}</a>
    </p>
  </Page>
);
