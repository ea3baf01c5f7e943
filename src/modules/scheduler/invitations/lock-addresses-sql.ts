import { sqlForReading } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import { distinctAddresses } from './invited-addresses.js';

/**
 * Locks addresses until the end of the transaction, so that invitations and verifications of the same address run one at a time. To avoid
 * deadlocks, addresses are locked in alphabetical order, and before any game.
 */
export async function lockAddresses(sql: Session, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await sql.rows(
    sqlForReading(
      [],
      `select pg_advisory_xact_lock(hashtextextended(address, 1)) from (select address from unnest($1::text[]) address order by 1) sorted`,
      { otherDependency: 'pg_advisory_xact_lock' },
    ),
    [distinctAddresses(addresses)],
  );
}
