import type { Session } from '../../kernel/session.js';
import { distinct } from './invited-addresses.js';

/**
 * From here to the end of the transaction nobody else invites these addresses or proves one of them: of an invitation and a proof at the same
 * moment the later one knows of the other. Taken before any game is locked, in one order, so that no two wait for each other.
 */
export async function lockAddresses(sql: Session, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await sql.rows(
    `select pg_advisory_xact_lock(hashtextextended(address, 1)) from (select address from unnest($1::text[]) address order by 1) sorted`,
    [distinct(addresses)],
  );
}
