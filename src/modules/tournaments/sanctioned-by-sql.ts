import type { Param } from '../../kernel/session.js';
import { idOfBody } from '../reference/records/tournament-lookups.js';
import { approvalStatuses } from './choices.js';

/** SQL condition that an approval is neither denied nor canceled. An approval without a status counts as valid. */
const isValid = (status: string): string =>
  `coalesce(${approvalStatuses.conversion.sql(status)}, '') not in ('DENIED', 'CANCELED')`;

/** SQL condition that one of the governing bodies sanctions the tournament, or approved it and neither denied nor canceled the approval. */
export function sanctionedBy(codes: readonly string[], param: Param): string {
  const containsAny = (column: string, entries: object[]) =>
    `${param.row}.${column} @> any(${param(entries.map((entry) => JSON.stringify([entry])))}::text[]::jsonb[])`;
  const sanctions = codes.map((body) => ({ body, isSanctioned: true }));
  const ids = codes.flatMap((code) => idOfBody.get(code) ?? []);
  const approvals = ids.map((governingBodyId) => ({ governingBodyId }));
  const hasValidApproval = `exists (select from jsonb_array_elements(${param.row}.approvals) entry
    where entry ->> 'governingBodyId' = any(${param(ids)}::text[]) and ${isValid(`(entry ->> 'status')`)})`;
  // The containment condition uses the index, but ignores the status.
  return `(${containsAny('sanctions', sanctions)} or (${containsAny('approvals', approvals)} and ${hasValidApproval}))`;
}
