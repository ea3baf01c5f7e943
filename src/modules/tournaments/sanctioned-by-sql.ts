import type { Param } from '../../kernel/session.js';
import { idOfBody } from '../reference/governing-body.js';

/** SQL: with a sanction of one of some governing bodies, or an entry of it among the approvals. */
export function sanctionedBy(codes: readonly string[], param: Param): string {
  const holding = (column: string, entries: object[]) =>
    `r.${column} @> any(${param(entries.map((entry) => JSON.stringify([entry])))}::text[]::jsonb[])`;
  const sanctions = codes.map((body) => ({ body, isSanctioned: true }));
  const approvals = codes.map((code) => ({ governingBodyId: idOfBody.get(code) }));
  return `(${holding('sanctions', sanctions)} or ${holding('approvals', approvals)})`;
}
