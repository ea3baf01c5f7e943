import { graphql, type ResultOf } from 'courtside-sdk';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { listOf, useQuery, useRefresh, useSession, type Viewer } from '../data/index.ts';
import { Facts } from '../elements/facts.tsx';
import { DateTime, formatNumber } from '../elements/formats.tsx';
import { QueryStates } from '../elements/query-states.tsx';
import { Table } from '../elements/table.tsx';
import { hrefOf } from '../router.ts';
import { formatBytes, formatSeconds } from './formats.ts';

const HealthQuery = graphql(`query ConsoleHealth {
  serviceHealth {
    release startedAt pendingMigrations pendingWebhookDeliveries failedWebhooks changeLogLag
    database { version connections maxConnections size }
    replicas { address isUsed lag }
    queues { queue waiting active retrying failed oldestWaiting }
  }
}`);

type ServiceHealth = NonNullable<ResultOf<typeof HealthQuery>['serviceHealth']>;

/** Interval at which the state is read again, in seconds. */
const interval = 5;

/** Age at which the state is no longer current, in seconds. Requests are retried, so an error can take longer to appear. */
const maxAge = 15;

/** Limits above which a value is a problem: the used share of connections, and durations in seconds. */
const limits = { connections: 0.9, changeLogLag: 10, oldestWaiting: 600 };

/** State of the service, database, replicas and queues. */
export function Health() {
  const query = useQuery(HealthQuery, {});
  // The error is shown once, above the tables.
  const shown = { ...query, failure: null };
  const [now, setNow] = useState(Date.now);
  useRefresh(() => {
    query.reload();
    setNow(Date.now());
  }, interval);
  const isCurrent = !query.failure && query.readAt !== null && now - query.readAt.getTime() < maxAge * 1000;
  return (
    <>
      <QueryStates query={query}>
        {({ serviceHealth: health }) =>
          health && (
            <>
              {isCurrent ? <Problems health={health} /> : <Outdated readAt={query.readAt} />}
              <Service health={health} />
            </>
          )
        }
      </QueryStates>
      {query.data && (
        <>
          <section aria-labelledby="replicas">
            <h2 id="replicas">Replicas</h2>
            <Table
              caption="Read replicas"
              columns={[
                { title: 'Address', cell: ({ address }) => address },
                { title: 'State', cell: ({ isUsed }) => <State isGood={isUsed}>{isUsed ? 'Used' : 'Excluded'}</State> },
                { title: 'Lag', isNumber: true, cell: ({ lag }) => (lag === null ? 'No response' : formatSeconds(lag)) },
              ]}
              list={listOf(shown, query.data.serviceHealth?.replicas ?? [])}
              keyOf={({ address }) => address}
              emptyText="The service uses no replicas."
            />
          </section>
          <section aria-labelledby="queues">
            <h2 id="queues">Queues</h2>
            <Table
              caption="Job queues"
              columns={[
                { title: 'Queue', cell: ({ queue }) => queue },
                { title: 'Waiting', isNumber: true, cell: ({ waiting }) => formatNumber(waiting) },
                { title: 'Active', isNumber: true, cell: ({ active }) => formatNumber(active) },
                { title: 'To be retried', isNumber: true, cell: ({ retrying }) => formatNumber(retrying) },
                { title: 'Failed', isNumber: true, cell: ({ failed }) => formatNumber(failed) },
                {
                  title: 'Oldest waiting',
                  isNumber: true,
                  cell: ({ oldestWaiting }) => (oldestWaiting === null ? '–' : formatSeconds(oldestWaiting)),
                },
              ]}
              list={listOf(shown, query.data.serviceHealth?.queues ?? [])}
              keyOf={({ queue }) => queue}
              emptyText="The queues cannot be read."
            />
          </section>
        </>
      )}
    </>
  );
}

/** State with a colored mark. The text has the same meaning as the color. */
const State = ({ isGood, children }: { isGood: boolean; children: ComponentChildren }) => (
  <span class={isGood ? 'mark' : 'mark bad'}>{children}</span>
);

/** Returns the problems of the service, in one sentence each. */
function problemsOf(health: ServiceHealth, viewer: Viewer): readonly ComponentChildren[] {
  const { database, pendingMigrations, replicas, queues, changeLogLag } = health;
  const failedWebhooks = health.failedWebhooks ?? 0;
  const failedOf = (isMessage: boolean) =>
    (queues ?? []).filter(({ queue }) => !queue.startsWith('chore-') === isMessage).reduce((sum, { failed }) => sum + failed, 0);
  const [failedMessages, failedJobs] = [failedOf(true), failedOf(false)];
  const problems: readonly (ComponentChildren | false)[] = [
    !database && 'The database does not respond.',
    database !== null &&
      database.connections > limits.connections * database.maxConnections &&
      `The database has ${formatNumber(database.connections)} of ${formatNumber(database.maxConnections)} connections.`,
    Boolean(pendingMigrations) && `Migrations that have not run: ${pendingMigrations}.`,
    ...replicas.map(({ address, isUsed }) => !isUsed && `The replica ${address} is excluded.`),
    queues === null && 'The job queues cannot be read.',
    ...(queues ?? []).map(
      ({ queue, oldestWaiting }) =>
        (oldestWaiting ?? 0) > limits.oldestWaiting &&
        `A job in the queue ${queue} has been waiting for ${formatSeconds(oldestWaiting ?? 0)}.`,
    ),
    failedMessages > 0 && (
      <>
        {formatNumber(failedMessages)} {failedMessages === 1 ? 'message was' : 'messages were'} not sent.{' '}
        <a href={hrefOf(['operations', 'messages'])}>See failed messages</a>
      </>
    ),
    failedJobs > 0 && (
      <>
        {formatNumber(failedJobs)} {failedJobs === 1 ? 'job has' : 'jobs have'} failed.{' '}
        <a href={hrefOf(['operations', 'jobs'])}>See failed jobs</a>
      </>
    ),
    failedWebhooks > 0 && (
      <>
        {formatNumber(failedWebhooks)} {failedWebhooks === 1 ? 'webhook was' : 'webhooks were'} paused after failures.{' '}
        {viewer.isSuperAdmin && <a href={hrefOf(['webhooks'], { state: 'PAUSED' })}>See paused webhooks</a>}
      </>
    ),
    changeLogLag !== null &&
      changeLogLag > limits.changeLogLag &&
      `Subscriptions and webhooks are ${formatSeconds(changeLogLag)} behind.`,
  ];
  return problems.filter((problem) => problem !== false);
}

/** Message that the values may have changed, because the current state could not be read. */
const Outdated = ({ readAt }: { readAt: Date | null }) => (
  <p role="status">
    <State isGood={false}>
      {readAt ? (
        <>
          The current state is unknown. The values below are from <DateTime at={readAt.toISOString()} hasSeconds />.
        </>
      ) : (
        'The values below are from an earlier visit.'
      )}
    </State>
  </p>
);

function Problems({ health }: { health: ServiceHealth }) {
  const { viewer } = useSession();
  const problems = problemsOf(health, viewer);
  return (
    <div role="status">
      {problems.length === 0 ? (
        <p>
          <State isGood>No problems</State>
        </p>
      ) : (
        <ul class="unmarked">
          {problems.map((problem, index) => (
            <li key={index}>
              <State isGood={false}>{problem}</State>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Service({ health }: { health: ServiceHealth }) {
  const { release, startedAt, database, pendingMigrations, pendingWebhookDeliveries, changeLogLag } = health;
  return (
    <Facts
      facts={[
        ['Release', release],
        ['This process started', <DateTime at={startedAt} />],
        ['Database', database ? `PostgreSQL ${database.version}` : 'No response'],
        ['Database connections', database && `${formatNumber(database.connections)} of ${formatNumber(database.maxConnections)}`],
        ['Database size', database && formatBytes(database.size)],
        ['Pending migrations', pendingMigrations === null ? null : formatNumber(pendingMigrations)],
        ['Pending webhook deliveries', pendingWebhookDeliveries === null ? null : formatNumber(pendingWebhookDeliveries)],
        ['Subscription lag', changeLogLag === null ? null : formatSeconds(changeLogLag)],
      ]}
    />
  );
}
