/** Takes the lead of all processes on a database, where nobody has it; it ends with the connection. */
export const takeLead = `select pg_try_advisory_lock(hashtext('courtside webhooks')) as "isTaken"`;
export const isAlive = 'select 1';
