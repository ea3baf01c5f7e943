import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import { inNfc } from '../declare/nfc.js';
import { optionsOf } from '../declare/record.js';
import type { Param, Row, Session } from '../session.js';
import { collect } from '../statement.js';
import { visibleRows } from './visible.js';

/** From so many characters on, a text may stand inside of words: shorter ones have no index that tells where. */
const insideFrom = 3;

/** SQL of a row's name as it is searched; the index holds this very text. */
function searchedName(cls: RecordClass): string {
  const columns = (optionsOf(cls).names ?? []).map((key) => `r.${columnOf(metaOf(cls), key).column}`);
  const name = columns.length > 1 ? columns.map((column) => `coalesce(${column}, '')`).join(` || ' ' || `) : columns.join();
  return `folded(nfc(${name}))`;
}

/**
 * The rows of one record whose names hold the words, or nearly, each with how well it fits: those that hold them are above 1, and the less
 * else a name has, the better.
 */
function foundOf(cls: RecordClass, place: number, text: string, { caller }: Session, param: Param): string {
  const { table, findable } = optionsOf(cls);
  const words = inNfc(text);
  const name = searchedName(cls);
  const asked = `folded(${param(words)}::text)`;
  const holds = `${name} like folded(${param(`%${words.replace(/[\\%_]/g, '\\$&')}%`)}::text)`;
  // The first sign takes whole words, with a bound of its own (src/database/orm.ts): two letters of a short word that changed places pass it.
  const near = `${asked} <<% ${name} or ${asked} <% ${name}`;
  const visible = visibleRows(cls, caller, param);
  const where = [
    words.length < insideFrom ? `(${near})` : `(${holds} or ${near})`,
    ...(findable ? [`(${findable})`] : []),
    ...(visible ? [`(${visible})`] : []),
  ];
  return `select '${cls.name}' as "$type", ${place} as place, r.id,
      (${holds})::int + word_similarity(${asked}, ${name}) + similarity(${asked}, ${name}) / 10 as fits
    from ${table} r where ${where.join(' and ')}`;
}

const foundIn = (sql: Session, records: readonly RecordClass[], text: string, param: Param): string =>
  records.map((cls, place) => foundOf(cls, place, text, sql, param)).join(' union all ');

/** Rows of several records whose names hold some words, or nearly: what best fits comes first, in one statement for all. */
export function find(sql: Session, records: readonly RecordClass[], text: string, first: number, offset: number): Promise<Row[]> {
  const values: unknown[] = [];
  const param = collect(values);
  const found = foundIn(sql, records, text, param);
  return sql.rows(
    `select f."$type", f.id from (${found}) f order by f.fits desc, f.place, f.id limit ${param(first)} offset ${param(offset)}`,
    values,
  );
}

/** How many rows there are in all that such a search finds. */
export async function countFound(sql: Session, records: readonly RecordClass[], text: string): Promise<number> {
  const values: unknown[] = [];
  const found = foundIn(sql, records, text, collect(values));
  const row = await sql.row(`select count(*)::int as n from (${found}) f`, values);
  return Number(row?.n ?? 0);
}
