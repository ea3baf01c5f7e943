/**
 * Tries to acquire the leader lock of a database. PostgreSQL releases the lock when the connection closes. Returns null on a standby,
 * because the locks of different servers are independent.
 */
export const tryLockStatement = `select case when not pg_is_in_recovery() then pg_try_advisory_lock(hashtext('courtside webhooks')) end as "isTaken"`;
export const pingStatement = 'select 1';
