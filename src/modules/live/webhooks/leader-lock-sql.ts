/** Tries to acquire the leader lock of a database. PostgreSQL releases it when the connection closes. */
export const tryLock = `select pg_try_advisory_lock(hashtext('courtside webhooks')) as "isTaken"`;
export const ping = 'select 1';
