import type { ComponentChildren } from 'preact';
import { latestHrefOf } from '../router.ts';

/** Link back to a list. If the user comes from this list, it has the same filters, rows and position. */
export const BackLink = ({ segments, children }: { segments: readonly string[]; children: ComponentChildren }) => (
  <a href={latestHrefOf(segments)} data-returns>
    {children}
  </a>
);
