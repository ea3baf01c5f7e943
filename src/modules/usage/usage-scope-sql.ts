import type { UsageCaller } from './usage-caller.js';

/** Days and callers of a report. A null `platformId` or `caller` selects all. */
export interface UsageScope {
  readonly from: string;
  readonly to: string;
  readonly platformId: string | null;
  readonly caller: UsageCaller | null;
}

/** SQL condition for rows in a scope. `scopeValues` returns its parameters. */
export const inScope = `day between $1 and $2 and ($3::text is null or caller = 'PLATFORM' and platform_id = $3) and ($4::text is null or caller = $4)`;

export const scopeValues = ({ from, to, platformId, caller }: UsageScope) => [from, to, platformId, caller];
