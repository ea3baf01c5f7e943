import type { Param } from '../../kernel/session.js';
import { idOfBody } from '../reference/governing-body.js';
import { approvalStatuses } from './choices.js';

/** SQL: whether the status of an approval is neither denied nor canceled. A missing status counts. */
const isStanding = (status: string): string =>
  `coalesce(${approvalStatuses.shown.sql(status)}, '') not in ('DENIED', 'CANCELED')`;

/** SQL: sanctioned by one of some governing bodies, or with an approval of one that is neither denied nor canceled. */
export function sanctionedBy(codes: readonly string[], param: Param): string {
  const holding = (column: string, entries: object[]) =>
    `r.${column} @> any(${param(entries.map((entry) => JSON.stringify([entry])))}::text[]::jsonb[])`;
  const sanctions = codes.map((body) => ({ body, isSanctioned: true }));
  const ids = codes.flatMap((code) => idOfBody.get(code) ?? []);
  const approvals = ids.map((governingBodyId) => ({ governingBodyId }));
  const standing = `exists (select from jsonb_array_elements(r.approvals) entry
    where entry ->> 'governingBodyId' = any(${param(ids)}::text[]) and ${isStanding(`(entry ->> 'status')`)})`;
  // The index finds the tournaments, whatever the status.
  return `(${holding('sanctions', sanctions)} or (${holding('approvals', approvals)} and ${standing}))`;
}
