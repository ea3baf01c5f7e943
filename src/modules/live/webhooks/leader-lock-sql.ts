/**
 * Tries to acquire the leader lock of a database. PostgreSQL releases it when the connection closes. Null on a standby, because the locks of
 * different servers are independent.
 */
export const tryLock = `select case when not pg_is_in_recovery() then pg_try_advisory_lock(hashtext('courtside webhooks')) end as "isTaken"`;
export const ping = 'select 1';
