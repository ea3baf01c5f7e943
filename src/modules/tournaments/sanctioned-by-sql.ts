import type { Param } from '../../kernel/session.js';
import { idOfBody } from '../reference/records/governing-body.js';
import { approvalStatuses } from './choices.js';

/** SQL: whether the status of an approval is neither denied nor canceled. A missing status counts. */
const isStanding = (status: string): string =>
  `coalesce(${approvalStatuses.conversion.sql(status)}, '') not in ('DENIED', 'CANCELED')`;

/** SQL: the tournament is sanctioned by one of the governing bodies, or has an approval of one that is neither denied nor canceled. */
export function sanctionedBy(codes: readonly string[], param: Param): string {
  const containsAny = (column: string, entries: object[]) =>
    `${param.row}.${column} @> any(${param(entries.map((entry) => JSON.stringify([entry])))}::text[]::jsonb[])`;
  const sanctions = codes.map((body) => ({ body, isSanctioned: true }));
  const ids = codes.flatMap((code) => idOfBody.get(code) ?? []);
  const approvals = ids.map((governingBodyId) => ({ governingBodyId }));
  const hasStandingApproval = `exists (select from jsonb_array_elements(${param.row}.approvals) entry
    where entry ->> 'governingBodyId' = any(${param(ids)}::text[]) and ${isStanding(`(entry ->> 'status')`)})`;
  // The containment condition uses the index. It ignores the status.
  return `(${containsAny('sanctions', sanctions)} or (${containsAny('approvals', approvals)} and ${hasStandingApproval}))`;
}
