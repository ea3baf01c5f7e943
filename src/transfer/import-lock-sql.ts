import type { Client } from 'pg';

/** Name of the advisory lock that prevents concurrent imports into a database. */
const importLock = 'courtside import';

/** Called if an import has to wait until another import has finished. */
export type OnWait = () => void;

/** Waits until no other import runs in the database. The lock belongs to the session, or to the current transaction. */
export async function lockImports(client: Client, owner: 'session' | 'transaction', onWait: OnWait): Promise<void> {
  const kind = owner === 'session' ? 'advisory' : 'advisory_xact';
  const { rows } = await client.query(`select pg_try_${kind}_lock(hashtext($1)) as "isLocked"`, [importLock]);
  if (rows[0]?.isLocked) return;
  onWait();
  await client.query(`select pg_${kind}_lock(hashtext($1))`, [importLock]);
}
