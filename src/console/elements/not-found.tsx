import type { ComponentChildren } from 'preact';
import { hrefOf } from '../router.ts';
import { Page } from './page.tsx';

interface NotFoundProps {
  /** Segments of the page to go back to. */
  readonly back: readonly string[];
  readonly backLabel: string;
  /** Default: that the page does not exist, or is not permitted. */
  readonly reason?: ComponentChildren;
}

/** Page for a path that has no page. */
export const NotFound = ({ back, backLabel, reason }: NotFoundProps) => (
  <Page title="Page not found">
    <p>{reason ?? 'This page does not exist, or your roles do not permit it.'}</p>
    <p>
      <a href={hrefOf(back)}>{backLabel}</a>
    </p>
  </Page>
);
