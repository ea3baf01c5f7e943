import type { ComponentChildren } from 'preact';
import { latestHrefOf } from '../router.ts';

/** Link back to a list. If the user came from this list, the link restores its filters, rows and scroll position. */
export const BackLink = ({ segments, children }: { segments: readonly string[]; children: ComponentChildren }) => (
  <a href={latestHrefOf(segments)} data-returns>
    {children}
  </a>
);
