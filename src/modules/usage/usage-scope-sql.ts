import type { UsageCaller } from './usage-caller.js';

/** Whose calls of which days are meant; those of all callers where none is named. */
export interface UsageScope {
  readonly from: string;
  readonly to: string;
  readonly platformId: string | null;
  readonly caller: UsageCaller | null;
}

/** What a row must be to be in the scope of `scopeValues`. */
export const inScope = `day between $1 and $2 and ($3::text is null or caller = 'PLATFORM' and platform_id = $3) and ($4::text is null or caller = $4)`;

export const scopeValues = ({ from, to, platformId, caller }: UsageScope) => [from, to, platformId, caller];
