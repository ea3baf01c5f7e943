import { type Column, columnsOf, type FieldMeta, metaOf, type RecordClass } from '../../../kernel/declare/meta.js';
import { optionsOf } from '../../../kernel/declare/record.js';
import type { Param } from '../../../kernel/declare/row.js';
import { unset } from '../../../kernel/declare/stored-fields.js';
import { writeSql } from '../../../kernel/facts.js';
import type { Session } from '../../../kernel/session.js';
import { collectForText } from '../../../kernel/statement.js';
import { User } from '../user.js';
import { namesPerson, namingUsers, own, recordsOfPeople } from './person-columns.js';

/** What a person is known by, wherever it stands in texts. */
export interface PersonTraces {
  id: string;
  /** First and last name; null where they are too little to be found by. */
  name: string | null;
  /** Addresses and phone numbers, in lower case. */
  contacts: readonly string[];
  /** Any of these within a text, as a regular expression of PostgreSQL. */
  pattern: string;
}

/** What stands where the name did. */
const placeholder = { firstName: 'Deleted', lastName: 'user' } as const;
const nobodyNamed = `'${placeholder.firstName} ${placeholder.lastName}'`;

/** Values of every statement: id, contacts, pattern, name. */
const [contacts, pattern, name] = ['$2::text[]', '$3::text', '$4::text'];

/** The column with the id of the user whose name a column holds: `created_by_id` of `created_by`. */
const idBeside = (cls: RecordClass, { key }: Pick<Column, 'key'>): string | undefined =>
  columnsOf(metaOf(cls)).get(`${key}Id`)?.column;

/** Free texts: no ids, no words of a vocabulary, nothing that is unique. */
const isFree = ({ kind, shown, named: names, unique, letters, ref, secret }: FieldMeta): boolean =>
  !shown && !names && !unique && !ref && letters !== 'exact' && (kind === 'text' ? !secret : kind === 'json' || kind === 'list');

/** A change of one column, as SQL over `r`, and which rows it concerns. */
interface Change {
  column: string;
  value: string;
  where: string;
}

function changeOf(cls: RecordClass, theirs: string, column: Column, param: Param): Change | null {
  const { field } = column;
  const held = `r.${column.column}`;
  const to = (value: string, where: string): Change => ({ column: column.column, value, where });
  const replaced = (text: string) => `regexp_replace(${text}, ${pattern}, ${nobodyNamed}, 'gi')`;
  const beside = idBeside(cls, column);
  if (beside) {
    const isTheirs = `(r.${beside} = $1::text or r.${beside} is null and lower(${held}) = lower(${name}))`;
    return to(`case when ${isTheirs} then ${nobodyNamed} else ${held} end`, isTheirs);
  }
  // Other people's names and numbers are theirs, though they may be the same.
  if (cls === User || !isFree(field)) return null;
  if (field.kind === 'list') {
    const kept = `array(select item from unnest(${held}) with ordinality as items(item, place) where lower(item) <> all(${contacts}) order by place)`;
    return to(kept, `${held} <> ${kept}`);
  }
  if (field.kind === 'json') {
    const isTheirs = `(${theirs}) and ${held}::text ~* ${pattern}`;
    return to(`case when ${isTheirs} then ${replaced(`${held}::text`)}::jsonb else ${held} end`, isTheirs);
  }
  const isContact = `lower(${held}) = any(${contacts})`;
  const isName = `lower(${held}) = lower(${name})`;
  const isWithin = `${field.mentions ? '' : `(${theirs}) and `}${held} ~* ${pattern}`;
  const isOwn = field.personal ? `${held} is not null and ${own(cls, '$1', param)}` : 'false';
  const nothing = field.required ? `''` : 'null';
  return to(
    `case when ${isOwn} or ${isContact} then ${nothing} when ${isName} then ${nobodyNamed} when ${isWithin} then ${replaced(held)} else ${held} end`,
    `(${isOwn}) or ${isContact} or ${isName} or (${isWithin})`,
  );
}

/** Takes the person out of one table: their own rows go where the record says so; of the others the names and addresses. */
async function forget(sql: Session, cls: RecordClass, traces: PersonTraces): Promise<void> {
  const { person, table } = optionsOf(cls);
  const param = collectForText([]);
  if (person?.goes) {
    await sql.rows(writeSql([table], `delete from ${table} r where ${own(cls, '$1', param)}`, param.noted.tables), [traces.id]);
  }
  const theirs = [namesPerson(namingUsers(cls), '$1'), own(cls, '$1', param)].join(' or ');
  const changes = [...columnsOf(metaOf(cls)).values()].flatMap((column) => changeOf(cls, theirs, column, param) ?? []);
  if (changes.length === 0) return;
  await sql.rows(
    writeSql(
      [table],
      `update ${table} r set ${changes.map(({ column, value }) => `${column} = ${value}`).join(', ')}
     where ${contacts} is not null and ${pattern} is not null and coalesce(${name}, $1::text) is not null and (${changes.map(({ where }) => `(${where})`).join(' or ')})`,
      param.noted.tables,
    ),
    [traces.id, traces.contacts, traces.pattern, traces.name],
  );
}

/** Clears all columns of the user except the ID and timestamps, sets a placeholder name, and marks the user as erased. */
async function clear(sql: Session, id: string): Promise<void> {
  const stays = new Set(['id', 'version', 'createdAt', 'updatedAt', 'erasedAt', ...namingUsers(User).map(({ key }) => key)]);
  const columns = [...columnsOf(metaOf(User)).values()].filter(({ key }) => !stays.has(key) && !idBeside(User, { key }));
  const given = ({ key, field }: Column) => Reflect.get(placeholder, key) ?? unset(field);
  await sql.rows(
    writeSql(
      [optionsOf(User).table],
      `update ${optionsOf(User).table} r set ${columns.map(({ column }, index) => `${column} = $${index + 2}`).join(', ')},
       version = r.version + 1, updated_at = clock_timestamp(),
       erased_at = coalesce(r.erased_at, clock_timestamp()) where r.id = $1`,
    ),
    [id, ...columns.map(given)],
  );
}

/** Removes a person from all records, in the open transaction. */
export async function erasePerson(sql: Session, traces: PersonTraces): Promise<void> {
  for (const cls of recordsOfPeople()) await forget(sql, cls, traces);
  await clear(sql, traces.id);
}
