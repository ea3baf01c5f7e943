import type { Caller } from '../declare/caller.js';
import { type Column, columnsOf, metaOf, type RecordClass, recordMetas } from '../declare/meta.js';
import { optionsOf } from '../declare/record.js';
import type { Param } from '../declare/row.js';
import { oneName, worded } from '../declare/words.js';
import { type Join, type Lead, leadsOf } from './join.js';
import { searchable } from './restriction.js';

/** A filterable relation: the path from a row to its related rows. */
export interface RelationStep {
  readonly target: RecordClass;
  readonly isList: boolean;
  readonly description: string;
  /** Conditions by which the related row belongs to the key of this one. */
  leads(caller: Caller, param: Param): readonly Lead[];
  /** SQL of the key of the row in the relation, such as its foreign key. */
  key(caller: Caller, param: Param): string;
}

const related = new Map<RecordClass, Map<string, RelationStep>>();
const known = new Map<RecordClass, ReadonlyMap<string, RelationStep>>();

const back = (cls: RecordClass, by: Join, description: string): RelationStep => ({
  target: cls,
  isList: true,
  description,
  leads: (caller, param) => leadsOf(cls, by, caller, param),
  key: (_, { row }) => `${row}.id`,
});

/** Adds a filterable relation that no foreign key declares. */
export function addStep(on: RecordClass, name: string, cls: RecordClass, by: Join, description: string): void {
  const steps = related.get(on) ?? new Map<string, RelationStep>();
  related.set(on, steps.set(name, back(cls, by, description)));
}

/** The related row has the key as its ID. */
export const byKey: RelationStep['leads'] = (_, { key, row }) => [{ past: null, where: `${row}.id = ${key}` }];
const oneOfKeys: RelationStep['leads'] = (_, { key, row }) => [{ past: null, where: `${row}.id = any(${key})` }];

/** Whether all callers can see a column. Relations of other columns are not filterable. */
const isOpen = ({ field }: Column): boolean => !field.secret && !field.private;

function* ownSteps(cls: RecordClass): Iterable<[string, RelationStep]> {
  const meta = metaOf(cls);
  for (const column of columnsOf(meta).values()) {
    const { key, field } = column;
    const { ref, description } = field;
    // The graph has relations of secret keys, too.
    if (!ref?.one || !ref.isFilterable || field.private) continue;
    const target = ref.target();
    // In a group, the name of the relation has the name of the group as prefix, like the columns.
    const name = oneName([...key.split('.').slice(0, -1), ref.one].join('.'));
    const plain = ({ row }: Param) => `${row}.${column.column}`;
    if (field.kind === 'list') {
      const keys = (caller: Caller, param: Param) => searchable(meta, column, caller, param) ?? plain(param);
      yield [name, { target, isList: true, description, leads: oneOfKeys, key: keys }];
    } else yield [name, { target, isList: false, description, leads: byKey, key: (_, param) => plain(param) }];
  }
}

function* stepsBack(on: RecordClass): Iterable<[string, RelationStep]> {
  for (const meta of recordMetas())
    for (const column of columnsOf(meta).values()) {
      const { ref } = column.field;
      if (!ref?.many || !ref.isInverseFilterable || ref.target() !== on || !isOpen(column)) continue;
      const description = ref.manyDescription ?? `Its ${worded(optionsOf(meta.cls).many)}.`;
      yield [ref.many, back(meta.cls, column.key, description)];
    }
}

/** Filterable relations of a record by name: by its own foreign keys, by foreign keys of other records, and those added by `addStep`. */
export function relationSteps(cls: RecordClass): ReadonlyMap<string, RelationStep> {
  const steps = known.get(cls) ?? new Map([...ownSteps(cls), ...stepsBack(cls), ...(related.get(cls) ?? [])]);
  known.set(cls, steps);
  return steps;
}

/**
 * SQL condition: a related row exists that meets the conditions. Each depth has its own alias for its rows, so that PostgreSQL can join them in any
 * order. `conditions` returns the conditions on the related row.
 */
export function reaches(
  step: RelationStep,
  conditions: (param: Param) => readonly string[],
  depth: number,
  caller: Caller,
  param: Param,
): string {
  const there = param.for(`r${depth}`);
  const table = param.table(optionsOf(step.target).table);
  const all = conditions(there);
  const found = step.leads(caller, there.for(there.row, step.key(caller, param))).map(({ past, where }) => {
    const from = `${past ? `${past}, ` : ''}${table} as ${there.row}`;
    return `exists (select from ${from} where ${[where, ...all].join(' and ')})`;
  });
  return found.length > 1 ? `(${found.join(' or ')})` : found.join();
}
