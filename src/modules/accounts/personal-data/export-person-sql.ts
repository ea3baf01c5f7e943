import type { Caller } from '../../../kernel/declare/caller.js';
import { type Column, columnsOf, metaOf, type RecordClass } from '../../../kernel/declare/meta.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { Row } from '../../../kernel/declare/row.js';
import { selectionFor } from '../../../kernel/read/selection.js';
import type { Session } from '../../../kernel/session.js';
import { building, collect, fragment, place, statementOf } from '../../../kernel/statement.js';
import { User } from '../user.js';
import { isStamp, namesPerson, namingUsers, own, recordsOfPeople } from './person-columns.js';

/** Hashes and what the service knows for itself are nobody's data; relations are. */
const isTold = ({ field }: Column): boolean => !field.secret || field.ref !== null;

/** `{ 'location.city': 'Austin' }` as `{ location: { city: 'Austin' } }`. */
function nested(row: Row): Row {
  const made: Row = {};
  for (const [key, value] of Object.entries(row)) {
    const [head = '', inner] = key.split('.');
    const group = made[head];
    if (inner === undefined) made[head] = value;
    else made[head] = { ...(typeof group === 'object' && group), [inner]: value };
  }
  return made;
}

/** What of a row the person may see: nothing that it shows to others only. */
function shownOf(cls: RecordClass, row: Row, person: Caller): Row {
  const { shows, restricted } = optionsOf(cls);
  const hidden = new Set(restricted && !restricted.shows(row, person) ? restricted.of : []);
  const isShown = shows?.(row, person) ?? false;
  for (const { name, private: isPrivate } of metaOf(cls).fields.values()) if (isPrivate && !isShown) hidden.add(name);
  return Object.fromEntries(Object.entries(row).filter(([key]) => !hidden.has(key.split('.')[0] ?? '')));
}

/** All rows that name the user, or are the user's own. */
async function rowsOf(sql: Session, cls: RecordClass, id: string, person: Caller): Promise<readonly Row[]> {
  const about = namingUsers(cls).filter((column) => !isStamp(column));
  const param = collect([]);
  const userId = param(id);
  const where = cls === User ? `r.id = ${userId}::text` : `${namesPerson(about, userId)} or ${own(cls, userId, param)}`;
  if (where === 'false or false') return [];
  const keys = [...columnsOf(metaOf(cls)).values()].filter(isTold).map(({ key }) => key);
  const { columns } = selectionFor(cls, keys);
  const query = () =>
    building
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select(columns)
      .where(fragment(where))
      .orderBy('r.id');
  const rows = await sql.statement(statementOf(`person ${cls.name}`, query, param), [id]);
  return rows.map((row) => nested(shownOf(cls, row, person)));
}

/** Ids of rows that the user made or changed, and that are not about the user. */
async function stampedBy(sql: Session, cls: RecordClass, id: string): Promise<unknown[]> {
  const stamps = namingUsers(cls).filter(isStamp);
  if (stamps.length === 0) return [];
  const query = () =>
    building
      .selectFrom(`${optionsOf(cls).table} as r`)
      .select('r.id')
      .where(fragment(namesPerson(stamps, place(1))))
      .orderBy('r.id');
  return (await sql.statement(statementOf(`stamped ${cls.name}`, query), [id])).map((row) => row.id);
}

/** What the service keeps about a person: rows by the names of their records, and under `changed` the ids of what the person made or changed. */
export async function exportPerson(sql: Session, id: string, person: Caller): Promise<Record<string, unknown>> {
  const found: Row = {};
  const changed: Row = {};
  for (const cls of recordsOfPeople()) {
    const rows = await rowsOf(sql, cls, id, person);
    if (rows.length > 0) found[cls.name] = rows;
    const ids = await stampedBy(sql, cls, id);
    if (ids.length > 0) changed[cls.name] = ids;
  }
  return { ...found, changed };
}
