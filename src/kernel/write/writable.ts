import type { Context } from '../declare/context.js';
import { fail } from '../declare/errors.js';
import { columnOf, metaOf, type RecordClass } from '../declare/meta.js';
import type { Values } from '../declare/options.js';
import { optionsOf } from '../declare/record.js';
import type { OwnRows } from '../declare/writers.js';
import { building, slot, statementOf } from '../statement.js';

const column = (cls: RecordClass, key: string): string => columnOf(metaOf(cls), key).column;

/**
 * SQL over the row, called `r` or otherwise: what has to hold for it to be written. It is not locked, unless the values unlock it; and where a caller is held to
 * own rows it is one, `param` standing for the caller's id.
 */
export function writable(cls: RecordClass, held: OwnRows | null, param: () => string, values: Values = {}, row = 'r'): string[] {
  const { lock } = optionsOf(cls);
  return [
    ...(lock && values[lock] !== false ? [`not ${row}.${column(cls, lock)}`] : []),
    ...(held ? [`${row}.${column(cls, held.column)} = ${param()}`] : []),
  ];
}

export const notTheirs = (one: string): never => fail('FORBIDDEN', `the ${one} is somebody else's`);
export const locked = (one: string): never => fail('CONFLICT', `that ${one} is locked`);

/** Why no row with that id was written: there is none, it is not the caller's, or it is locked. */
export async function unwritten({ sql }: Context, cls: RecordClass, id: string, held: OwnRows | null): Promise<never> {
  const { lock, one, table } = optionsOf(cls);
  const row = statementOf(`unwritten ${cls.name}`, () =>
    building.selectFrom(`${table} as r`).selectAll().where('r.id', '=', slot(1)),
  );
  const [found] = held || lock ? await sql.statement(row, [id]) : [];
  if (!found) return fail('NOT_FOUND', `no ${one} with the id ${id}`);
  return lock && (!held || found[column(cls, held.column)] === held.userId) ? locked(one) : notTheirs(one);
}
