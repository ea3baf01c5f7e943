import type { Pool } from 'pg';
import type { Service } from './attacked.js';
import type { Finding } from './campaign.js';
import { asCurl, type Got, type Sent, send } from './wire.js';

/** Tables that refusals may write to: counters of tries, and first answers of retries. */
const ofRefusals = /^(?:rate_limit|first_answer)$/;

/** How many rows each table has, and by which transactions they were written. */
async function fingerprint(database: Pool): Promise<Map<string, string>> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'm') order by 1`,
  );
  const names = tables.map(({ name }) => name).filter((name) => !ofRefusals.test(name));
  const { rows } = await database.query<{ name: string; state: string }>(
    names
      .map((name) => `select '${name}' as name, concat(count(*), ' ', sum(xmin::text::bigint)) as state from "${name}"`)
      .join(' union all '),
  );
  return new Map(rows.map(({ name, state }) => [name, state]));
}

/** Tables whose state differs. */
const changed = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before.keys()].filter((name) => before.get(name) !== after.get(name));

export interface Refused {
  readonly case: string;
  readonly sent: Sent;
}

const perBatch = 250;

/** Sends them; those that are refused once more. */
async function refusedAgain(service: Service, batch: readonly Refused[], isRefused: (got: Got) => boolean): Promise<Refused[]> {
  const refused: Refused[] = [];
  const waiting = [...batch];
  const work = async () => {
    for (let each = waiting.shift(); each; each = waiting.shift())
      if (isRefused(await send(service.origin, each.sent))) refused.push(each);
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return refused;
}

/** Which of a batch changes something; halves it until one is left. */
async function culprits(
  service: Service,
  batch: readonly Refused[],
  isRefused: (got: Got) => boolean,
): Promise<[Refused, string[]][]> {
  const before = await fingerprint(service.database);
  const again = await refusedAgain(service, batch, isRefused);
  const tables = changed(before, await fingerprint(service.database));
  // One that was accepted this time may have changed what it likes.
  if (!tables.length || again.length < batch.length) return [];
  if (batch.length === 1) return batch[0] ? [[batch[0], tables]] : [];
  const half = Math.ceil(batch.length / 2);
  return [
    ...(await culprits(service, batch.slice(0, half), isRefused)),
    ...(await culprits(service, batch.slice(half), isRefused)),
  ];
}

/** Sends refused requests again, in batches, and looks whether the database is as it was; how many it looked at. */
export async function changeNothing(
  service: Service,
  requests: readonly Refused[],
  isRefused: (got: Got) => boolean,
  report: (finding: Finding) => void,
): Promise<number> {
  let looked = 0;
  for (let from = 0; from < requests.length && service.isUp(); from += perBatch) {
    await service.restore();
    // Those that have become right since then are left out.
    const batch = await refusedAgain(service, requests.slice(from, from + perBatch), isRefused);
    looked += batch.length;
    for (const [{ case: name, sent }, tables] of await culprits(service, batch, isRefused))
      report({ case: name, what: `refused, but changed ${tables.join(', ')}`, curl: asCurl(service.origin, sent) });
  }
  return looked;
}
