/** Tries to acquire the leader lock of a database. The lock ends with the connection. */
export const tryLock = `select pg_try_advisory_lock(hashtext('courtside webhooks')) as "isTaken"`;
export const ping = 'select 1';
