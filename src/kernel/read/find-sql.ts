import type { RecordClass } from '../declare/meta.js';
import { inNfc } from '../declare/nfc.js';
import { optionsOf } from '../declare/record.js';
import { is } from '../row-shape.js';
import type { Param, Row, Session } from '../session.js';
import { collect } from '../statement.js';
import { closeness } from './closeness.js';
import { namesOf } from './name-table.js';
import { visibleRows } from './visible.js';

/** From so many characters on, a text may stand inside of words: shorter ones have no index that tells where. */
const insideFrom = 3;

/**
 * The rows of one record whose names hold the words, or nearly, each with how well it fits: those that hold them are above 1, and the less
 * else a name has, the better.
 */
function foundOf(cls: RecordClass, place: number, text: string, { caller }: Session, param: Param): string {
  const findable = optionsOf(cls).findable?.(caller, param);
  const words = inNfc(text);
  const { from, id, name } = namesOf(cls);
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
  return `select '${cls.name}' as "$type", ${place} as place, ${id}, ${name} as name, ${asked} as asked,
      (${holds})::int + word_similarity(${asked}, ${name}) + similarity(${asked}, ${name}) / 10 as fits
    from ${from} where ${where.join(' and ')}`;
}

const foundIn = (sql: Session, records: readonly RecordClass[], text: string, param: Param): string =>
  records.map((cls, place) => foundOf(cls, place, text, sql, param)).join(' union all ');

/** Of how many of the best it is looked at letter by letter how close they are; the others stay in the order of the database. */
const lookedAt = 200;

/** The best ones in order: to groups of three letters, which the database compares, two letters that changed places are another word. */
const inOrder = (rows: readonly Row[]): Row[] =>
  rows
    .map((row, index) => ({ row, index, fits: Number(row.fits) + closeness(String(row.asked), String(row.name)) }))
    .sort((a, b) => b.fits - a.fits || a.index - b.index)
    .map(({ row }) => row);

/** Rows of several records whose names hold some words, or nearly: what best fits comes first, in one statement for all. */
export async function find(
  sql: Session,
  records: readonly RecordClass[],
  text: string,
  first: number,
  offset: number,
): Promise<Row[]> {
  const values: unknown[] = [];
  const param = collect(values);
  const found = foundIn(sql, records, text, param);
  const from = offset < lookedAt ? 0 : offset;
  const rows = await sql.rows(
    `select f.* from (${found}) f order by f.fits desc, f.place, f.id limit ${param(Math.max(lookedAt, offset + first) - from)} offset ${param(from)}`,
    values,
  );
  const ordered = from === 0 ? [...inOrder(rows.slice(0, lookedAt)), ...rows.slice(lookedAt)] : rows;
  return ordered.slice(offset - from, offset - from + first);
}

/** How many rows there are in all that such a search finds. */
export async function countFound(sql: Session, records: readonly RecordClass[], text: string): Promise<number> {
  const values: unknown[] = [];
  const found = foundIn(sql, records, text, collect(values));
  const row = await sql.row(`select count(*)::int as n from (${found}) f`, values, { n: is.number });
  return row?.n ?? 0;
}
