/** Maximum number of database connections that a process opens for each purpose, in addition to its pool for requests. */
export const connectionCounts = {
  /** Reads of subscriptions, webhooks and limits. */
  background: 3,
  /** `LISTEN` and reads of the change log. */
  changes: 1,
  /** Adding messages to the queue. */
  queue: 1,
  /** Comparison of the primary with its replicas, if it has replicas. */
  replicas: 1,
  /** Search for the host that accepts writes, if `DATABASE_URL` has several hosts. */
  hosts: 1,
} as const;

/** Maximum numbers of additional connections of the process that runs the background jobs. */
export const jobConnectionCounts = {
  /** Sending messages of the queue. */
  sending: 1,
  /** Lock of the process that sends webhooks. */
  webhooks: 1,
  /** Daily jobs. */
  daily: 2,
} as const;
