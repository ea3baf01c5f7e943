import { columnOf, columnsOf, columnTypes, metaOf, type RecordClass } from '../../src/kernel/declare/meta.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import type { Session } from '../../src/kernel/session.js';
import { modules } from '../../src/modules/index.js';

const records = new Map(modules.flatMap((module) => module.records.map((cls) => [cls.name, cls] as const)));

/** SQL values for required columns without a default, keyed by field kind. */
const samples: Readonly<Record<string, string>> = { text: `'x'`, ref: `'x'`, int: '0', num: '0', money: '0', instant: 'now()' };

function statement(cls: RecordClass, id: string, owner: string): string {
  const { table, write } = optionsOf(cls);
  const columns = [...columnsOf(metaOf(cls)).values()].flatMap(({ key, column, field }) => {
    if (key === 'id') return [[column, `'${id}'`]];
    if (key === write.owner) return [[column, `'${owner}'`]];
    if (!field.required || field.default) return [];
    return [
      [column, field.values ? `'${Object.values(field.values)[0]}'` : `(${samples[field.kind]})::${columnTypes[field.kind]}`],
    ];
  });
  return `insert into ${table} (${columns.map(([name]) => name).join(', ')}) values (${columns.map(([, value]) => value).join(', ')})`;
}

/** Replaces the row that has the given ID with a fresh row. With `deletesOthers`, also deletes the other rows of the owner. */
async function replaceRow(sql: Session, cls: RecordClass, id: string, owner: string, deletesOthers: boolean): Promise<string> {
  const { table, write } = optionsOf(cls);
  const column = deletesOthers && write.owner ? columnOf(metaOf(cls), write.owner).column : null;
  await sql.rows(`delete from ${table} where id = $1${column ? ` or ${column} = $2` : ''}`, column ? [id, owner] : [id]);
  await sql.rows(statement(cls, id, owner));
  return id;
}

/** Inserts a fresh row of an owner. Replaces the row that already has the ID, if any. */
export function insertRow(sql: Session, type: string, id: string, owner: string): Promise<string> {
  const cls = records.get(type);
  if (!cls) throw new Error(`there is no record ${type}`);
  return replaceRow(sql, cls, id, owner, false);
}

/** Replaces all rows of the owner with a fresh row, and returns the ID of the fresh row. For `User`, returns the ID of the owner. */
export async function freshRow(sql: Session, type: string, owner: string): Promise<string> {
  const cls = records.get(type);
  if (!cls || type === 'User') return owner;
  return replaceRow(sql, cls, `${optionsOf(cls).table}-of-owner`, owner, true);
}
