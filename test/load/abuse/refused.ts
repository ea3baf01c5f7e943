import type { Pool } from 'pg';
import type { Service } from './attacked.js';
import type { Finding } from './campaign.js';
import { asCurl, type ReceivedResponse, type RequestToSend, send } from './wire.js';

/** Tables that refused requests may write to: counters of attempts and calls, and stored responses of retries. */
const exemptTables = /^(?:rate_limit|idempotent_response|route_usage|route_pair|usage_sender)$/;

/** Returns the state of each table: its number of rows and the transactions that wrote them. */
async function fingerprint(database: Pool): Promise<Map<string, string>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'm') order by 1`,
  );
  const names = tables.map(({ name }) => name).filter((name) => !exemptTables.test(name));
  const { rows } = await database.query<{ name: string; state: string }>(
    names
      .map((name) => `select '${name}' as name, concat(count(*), ' ', sum(xmin::text::bigint)) as state from "${name}"`)
      .join(' union all '),
  );
  return new Map(rows.map(({ name, state }) => [name, state]));
}

/** Returns the tables whose states before and after differ. */
const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before.keys()].filter((name) => before.get(name) !== after.get(name));

export interface RefusedRequest {
  readonly case: string;
  readonly sent: RequestToSend;
}

const requestsPerBatch = 250;

/** Sends the requests again. Returns the requests that are also refused this time. */
async function refusedAgain(
  service: Service,
  batch: readonly RefusedRequest[],
  isRefused: (response: ReceivedResponse) => boolean,
): Promise<RefusedRequest[]> {
  const refused: RefusedRequest[] = [];
  const waiting = [...batch];
  const work = async () => {
    for (let each = waiting.shift(); each; each = waiting.shift())
      if (isRefused(await send(service.origin, each.sent))) refused.push(each);
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return refused;
}

/** Finds the requests of a batch that change data, by bisection. Returns them with the changed tables. */
async function findWritingRequests(
  service: Service,
  batch: readonly RefusedRequest[],
  isRefused: (response: ReceivedResponse) => boolean,
): Promise<[RefusedRequest, string[]][]> {
  const before = await fingerprint(service.database);
  const again = await refusedAgain(service, batch, isRefused);
  const tables = changed(before, await fingerprint(service.database));
  // A request that is accepted this time may change data, so the batch is not checked further.
  if (!tables.length || again.length < batch.length) return [];
  if (batch.length === 1) return batch[0] ? [[batch[0], tables]] : [];
  const half = Math.ceil(batch.length / 2);
  return [
    ...(await findWritingRequests(service, batch.slice(0, half), isRefused)),
    ...(await findWritingRequests(service, batch.slice(half), isRefused)),
  ];
}

/**
 * Sends refused requests again in batches and checks that the database is unchanged. Returns the number of requests that were refused
 * again.
 */
export async function recheckRefused(
  service: Service,
  requests: readonly RefusedRequest[],
  isRefused: (response: ReceivedResponse) => boolean,
  report: (finding: Finding) => void,
): Promise<number> {
  let checkedCount = 0;
  for (let from = 0; from < requests.length && service.isUp(); from += requestsPerBatch) {
    await service.restore();
    // Requests that have become valid in the meantime are skipped.
    const batch = await refusedAgain(service, requests.slice(from, from + requestsPerBatch), isRefused);
    checkedCount += batch.length;
    for (const [{ case: name, sent }, tables] of await findWritingRequests(service, batch, isRefused))
      report({ case: name, problem: `was refused, but changed ${tables.join(', ')}`, curl: asCurl(service.origin, sent) });
  }
  return checkedCount;
}
