import { Client } from 'pg';
import type { Event } from './follower.js';

/** A committed write, as a trigger of the scene records it. The trigger runs in the transaction of the write. */
export interface CommittedWrite {
  readonly position: number;
  readonly id: string;
  readonly version: number;
  readonly title: string;
  /** Time of the write, in milliseconds since the Unix epoch. */
  readonly writtenAt: number;
}

/** SQL for a trigger that records every write of a tournament. Its name makes it run after the trigger of the change log. */
const witness = `
  create table if not exists witness (position bigint not null, id text not null, version int not null, title text not null);
  create or replace function witness() returns trigger language plpgsql as $$
    begin
      insert into witness values (currval('change_position'), new.id, new.version, new.title);
      return null;
    end $$;
  create or replace trigger witness after insert or update on tournament for each row execute function witness()`;

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

export const createWitness = (url: string): Promise<unknown> => withClient(url, (client) => client.query(witness));

/** Returns the committed writes in the order of the change log, and the errors in the log itself. */
export async function readCommittedWrites(
  url: string,
  acknowledged: readonly string[],
): Promise<{ writes: CommittedWrite[]; broken: string[] }> {
  return withClient(url, async (client) => {
    const { rows: writes } = await client.query<CommittedWrite>(
      `select witness.position::float8 as position, witness.id, version, title, extract(epoch from change.at)::float8 * 1000 as "writtenAt"
       from witness join change using (position, id) order by position`,
    );
    const { rows: counts } = await client.query(
      `select (select count(*)::int from witness) as noted,
              (select count(*)::int from change where record = 'Tournament' and position >= (select min(position) from witness)) as logged,
              (select count(*)::int from unnest($1::text[]) sent(title) where not exists (select from witness where witness.title = sent.title)) as lost,
              (select count(*)::int from tournament join lateral (
                 select * from witness where witness.id = tournament.id order by position desc limit 1) last on true
               where last.version <> tournament.version or last.title <> tournament.title) as otherwise`,
      [acknowledged],
    );
    const [count] = counts;
    const broken: string[] = [];
    if (count.noted !== writes.length || count.logged !== writes.length)
      broken.push(`${count.noted} writes were committed, but ${count.logged} were logged`);
    if (count.lost) broken.push(`${count.lost} acknowledged writes are not in the log`);
    if (count.otherwise) broken.push(`${count.otherwise} rows differ from their last change`);
    for (const [id, all = []] of Object.entries(Object.groupBy(writes, ({ id }) => id)))
      if (all.some(({ version }, index) => index > 0 && version !== (all[index - 1]?.version ?? 0) + 1))
        broken.push(`the log contains the writes of ${id} in the wrong order`);
    return { writes, broken };
  });
}

/** Differences between the events of one receiver and the committed writes. */
export interface DeliverySummary {
  receivedCount: number;
  missing: number;
  /** Number of events without a committed write, or from before the start position. */
  strange: number;
  /** Number of events that arrived after a later change of the same record. */
  outOfOrder: number;
  /** Number of events with a version of the row that is older than the version that the change wrote. */
  old: number;
  /** Delays from the write to the event, in milliseconds, in ascending order. */
  delays: number[];
}

/** Compares the events that a receiver got with the committed writes that it had to get. */
export function summarizeDeliveries(events: readonly Event[], writes: readonly CommittedWrite[]): DeliverySummary {
  const expected = new Map(writes.map((each) => [each.position, each]));
  const eventByPosition = new Map(events.map((event) => [event.position, event]));
  const last = new Map<string, number>();
  const account: DeliverySummary = {
    receivedCount: eventByPosition.size,
    missing: 0,
    strange: 0,
    outOfOrder: 0,
    old: 0,
    delays: [],
  };
  for (const position of expected.keys()) if (!eventByPosition.has(position)) account.missing++;
  for (const { position, id, version, receivedAt } of events) {
    const write = expected.get(position);
    if (write?.id !== id) account.strange++;
    if ((last.get(id) ?? 0) > position) account.outOfOrder++;
    last.set(id, Math.max(position, last.get(id) ?? 0));
    if (write && version !== null && version < write.version) account.old++;
    if (write) account.delays.push(receivedAt - write.writtenAt);
  }
  account.delays.sort((a, b) => a - b);
  return account;
}
