import { selectionOf } from './list.js';
import { columnsOf, metaOf, type RecordClass } from './meta.js';
import { optionsOf } from './record.js';
import { type Row, type Source, Sql } from './sql.js';

interface Kept {
  readonly since: number;
  readonly rows: Promise<ReadonlyMap<unknown, Row>>;
}

/** Another version of the service may bring other rows while this one still runs. */
const belief = 60_000;

const kept = new WeakMap<Source, Map<RecordClass, Kept>>();

async function read(source: Source, cls: RecordClass): Promise<ReadonlyMap<unknown, Row>> {
  const meta = metaOf(cls);
  const text = `select ${selectionOf(meta, [...columnsOf(meta).keys()])} from ${optionsOf(cls).table} r`;
  return new Map((await new Sql(source, 'read').rows(text)).map((row) => [row.id, row]));
}

/** The row of a record that is `constant`, from memory; null when there is none. */
export async function constantRow(source: Source, cls: RecordClass, id: string): Promise<Row | null> {
  const records = kept.get(source) ?? new Map<RecordClass, Kept>();
  kept.set(source, records);
  let known = records.get(cls);
  if (!known || Date.now() - known.since > belief) {
    known = { since: Date.now(), rows: read(source, cls) };
    records.set(cls, known);
    known.rows.catch(() => records.delete(cls));
  }
  return (await known.rows).get(id) ?? null;
}
