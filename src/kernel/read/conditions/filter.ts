import { reject } from '../../declare/errors.js';
import { allOf, alwaysTrue, anyOf, expression, type RowReference, SqlExpression } from '../../declare/expression.js';
import { GeneratedType, type InputValueSpec, type InputValues, type TypeReference } from '../../declare/fields/generated.js';
import { legacyExtensions, legacyField } from '../../declare/fields/legacy-fields.js';
import type { Branch, FilterCondition, Rank } from '../../declare/fields/options.js';
import { memoize } from '../../declare/memoize.js';
import { type Column, filterPoliciesOf, metaOf, type RecordClass } from '../../declare/meta.js';
import type { Caller } from '../../declare/policy/caller.js';
import { guard, type Policy, permitsAllOf, permittedCallers } from '../../declare/policy/policy.js';
import { runChecks } from '../../declare/problems.js';
import { optionsOf } from '../../declare/record.js';
import { toWords } from '../../declare/scalars/words.js';
import type { PolymorphicRelation } from '../relations/polymorphic.js';
import { customFiltersOf } from './custom-filters.js';
import { existsRelatedRow, type FilterRelation } from './filter-relations.js';
import { type Filterable, type FilterInput, filterableOf, isFilterInput } from './filterable.js';
import { nameConditions } from './name-conditions.js';
import { columnConditions, operatorsOf } from './operators.js';
import { type ReferencedRows, referenceConditions } from './reference-conditions-sql.js';
import { searchablePart } from './restriction.js';
import { visibleRows } from './visible.js';

/** Maximum number of conditions in a filter, including those in `and`, `or` and `not`. */
export const maxConditions = 200;
/** Number of conditions that each relation counts as, in addition to the conditions on the related record. */
export const conditionsPerRelation = 10;
/** Maximum number of nested relations in a filter. */
export const maxNestedRelations = 3;

/**
 * Returns the filter input of a record, with its columns, filterable relations and custom filters, and with `and`, `or` and `not`. In the
 * schema, only custom filters have a full description. The other fields are described on the record, so here they only name the permitted
 * callers.
 */
export const filterInputOf: (cls: RecordClass) => GeneratedType = memoize((cls) => {
  const input = new GeneratedType(`${cls.name}Filter`, {
    kind: 'input',
    description: `Conditions on ${toWords(optionsOf(cls).many)}. See the fields of \`${cls.name}\`.`,
    fields: () => filterFieldsOf(cls, input),
  });
  return input;
});

function filterFieldsOf(cls: RecordClass, filter: GeneratedType): InputValues {
  const fields = new Map<string, InputValueSpec>();
  const add = (key: string, spec: InputValueSpec) => {
    if (fields.has(key)) throw new Error(`${filter.name}.${key} is defined twice`);
    fields.set(key, spec);
  };
  const addRepeated = (key: string, type: () => TypeReference, text: string, callers: string) =>
    add(key, { type, description: callers, meaning: callers ? `${text} ${callers}` : text });
  const { columns, legacy, relations, polymorphicRelations } = filterableOf(cls);
  for (const [key, column] of columns) addRepeated(key, typeOf(column), column.field.description, callersOf(column));
  if (legacy.size) {
    const type = legacyFilterOf(cls, legacy);
    add(legacyField, { type: () => type, description: 'Conditions on fields in legacy `/v1` format.' });
  }
  for (const [key, { target, isList, description }] of relations) {
    const policies = readPoliciesOf(target, isList);
    const type = () => (isList ? listFilterOf(target) : filterInputOf(target));
    addRepeated(key, type, description, permitsAllOf(policies, optionsOf(cls).read) ? '' : `For: ${permittedCallers(policies)}`);
  }
  for (const [key, relation] of polymorphicRelations)
    addRepeated(key, () => polymorphicFilterOf(relation), relation.description, '');
  for (const [key, { type, description }] of Object.entries(customFiltersOf(cls))) add(key, { type, description });
  add('and', { type: () => [filter], meaning: 'All of these conditions hold.' });
  add('or', { type: () => [filter], meaning: 'At least one of these conditions holds. True if the list is empty.' });
  add('not', { type: () => filter, meaning: 'The conditions do not hold.' });
  return Object.fromEntries(fields);
}

const typeOf = (column: Column) => (): TypeReference => operatorsOf(column)?.input ?? Boolean;

const callersOf = ({ field }: Column): string => {
  const policies = filterPoliciesOf(field);
  return policies ? `For: ${permittedCallers(policies)}` : '';
};

/** Returns the input type of a filter's `legacy` field, with conditions on stored values. */
function legacyFilterOf(cls: RecordClass, columns: Filterable['legacy']): GeneratedType {
  const field = ([key, column]: [string, Column]): [string, InputValueSpec] => {
    const callers = callersOf(column);
    const meaning = `${column.field.description} ${callers}`.trim();
    return [key, { type: typeOf(column), description: callers, meaning }];
  };
  return new GeneratedType(`${cls.name}LegacyFilter`, {
    kind: 'input',
    description: `Conditions on fields of \`${cls.name}\` in legacy \`/v1\` format. See \`${cls.name}Legacy\`.`,
    extensions: legacyExtensions,
    fields: () => Object.fromEntries([...columns].map(field)),
  });
}

/** Returns the policies for filtering by a relation to one record or, if `isList` is true, to a list of records. */
const readPoliciesOf = (target: RecordClass, isList: boolean): readonly Policy[] => {
  const { read, readRelated = read } = optionsOf(target);
  return isList ? readRelated : read;
};

/** Returns the filter input for a list of records, such as `TeamListFilter`, with the fields `some` and `none`. */
const listFilterOf: (cls: RecordClass) => GeneratedType = memoize((cls) => {
  const many = toWords(optionsOf(cls).many);
  const type = () => filterInputOf(cls);
  const input = new GeneratedType(`${cls.name}ListFilter`, {
    kind: 'input',
    description: `Conditions on a list of ${many} that the caller can see: \`some\` or \`none\` of them match. \`{}\` matches any list.`,
    fields: () => ({
      some: { type, meaning: `At least one of the ${many} meets these conditions.` },
      none: { type, meaning: `None of the ${many} meets these conditions.` },
    }),
  });
  return input;
});

const polymorphicFilters = new Map<string, GeneratedType>();

/** Returns the filter input for a polymorphic relation, such as `FavoriteSubjectFilter`, with one field per type. */
function polymorphicFilterOf({ name: unionName, relations }: PolymorphicRelation): GeneratedType {
  const name = `${unionName}Filter`;
  const cached = polymorphicFilters.get(name);
  if (cached) return cached;
  const field = ([key, { target, description }]: [string, FilterRelation]): [string, InputValueSpec] => {
    const callers = `For: ${permittedCallers(optionsOf(target).read)}`;
    return [key, { type: () => filterInputOf(target), description: callers, meaning: `${description} ${callers}` }];
  };
  const input = new GeneratedType(name, {
    kind: 'input',
    description: 'The type of the record, and conditions on it. All conditions must match.',
    fields: () => Object.fromEntries([...relations].map(field)),
  });
  polymorphicFilters.set(name, input);
  return input;
}

/** SQL conditions that a filter sets on a row. */
export interface FilterConditions {
  conditions: SqlExpression[];
  ranks: (() => Rank)[];
  /** Whether at least one of the conditions matches only a few rows. */
  isSelective: boolean;
  /** SQL expression for the distance of a row, if the filter has `near`. */
  distance: SqlExpression | null;
  /** Branches that can replace the condition at `index`. */
  branches: { readonly index: number; readonly list: readonly Branch[] } | null;
  /** Conditions on the name table of the record, aliased `n`, keyed by the index of the condition that they can replace. */
  names: ReadonlyMap<number, SqlExpression>;
}

/** Caller that sent a filter, and the reference data that the filter refers to by name. */
interface FilterAccess {
  readonly caller: Caller;
  readonly references: ReferencedRows;
}

const inputsOf = (value: unknown): FilterInput[] => (Array.isArray(value) ? value.filter(isFilterInput) : []);
/** Returns the filter entries with a value other than null. */
const entriesOf = (filter: FilterInput) => Object.entries(filter).filter(([, value]) => value !== undefined && value !== null);

const filterConditionOf = (condition: SqlExpression | FilterCondition): FilterCondition =>
  condition instanceof SqlExpression ? { where: condition } : condition;

/** Joins conditions with `or`, in parentheses. Returns `true` for an empty list. */
const alternatives = (conditions: readonly SqlExpression[]): SqlExpression =>
  expression`(${conditions.length ? anyOf(conditions) : alwaysTrue})`;

/** Returns the number of conditions in a filter. Each relation counts as `conditionsPerRelation` additional conditions. */
function sizeOf(cls: RecordClass, filter: FilterInput): number {
  let size = 0;
  for (const [key, value] of Object.entries(filter)) {
    const { relations, polymorphicRelations } = filterableOf(cls);
    const relation = relations.get(key);
    const polymorphic = polymorphicRelations.get(key);
    if (polymorphic && isFilterInput(value)) {
      for (const [name, { target }] of polymorphic.relations)
        if (isFilterInput(value[name])) size += conditionsPerRelation + sizeOf(target, value[name]);
    } else if (relation && isFilterInput(value)) {
      const parts = relation.isList ? [value.some, value.none].filter(isFilterInput) : [value];
      size += parts.reduce((sum, part) => sum + conditionsPerRelation + sizeOf(relation.target, part), 0);
    } else if (key === legacyField && isFilterInput(value)) size += Object.keys(value).length;
    else {
      const parts = key === 'not' ? [value].filter(isFilterInput) : key === 'and' || key === 'or' ? inputsOf(value) : [];
      size += parts.reduce((sum, part) => sum + 1 + sizeOf(cls, part), parts.length ? 0 : 1);
    }
  }
  return size;
}

/** Rejects a filter with more than `maxConditions` conditions. */
export function checkFilterSize(cls: RecordClass, filter: FilterInput): void {
  if (sizeOf(cls, filter) > maxConditions)
    reject('filter', `at most ${maxConditions} conditions, where each relation counts as ${conditionsPerRelation}`);
}

/**
 * Returns the conditions that a filter sets on a row. Throws BAD_INPUT with all problems in the filter. `path` is the path of the filter in
 * the arguments, and `depth` is the number of relations in that path.
 */
export function whereOf(
  cls: RecordClass,
  filter: FilterInput,
  row: RowReference,
  access: FilterAccess,
  path = 'filter',
  depth = 0,
): FilterConditions {
  const { caller, references } = access;
  const meta = metaOf(cls);
  const names = new Map<number, SqlExpression>();
  const where: FilterConditions = { conditions: [], ranks: [], isSelective: false, distance: null, branches: null, names };
  const wheresOf = (parts: FilterInput[], listPath: string) =>
    runChecks(...parts.map((part, index) => () => whereOf(cls, part, row, access, `${listPath}[${index}]`, depth)));
  const conjunction = ({ conditions }: FilterConditions) => expression`(${allOf(conditions)})`;
  const { columns, legacy, relations, polymorphicRelations } = filterableOf(cls);
  const filters = customFiltersOf(cls);
  const addColumn = (column: Column, operands: unknown, columnPath: string): void => {
    const policies = filterPoliciesOf(column.field);
    if (policies) guard(policies, caller, undefined, columnPath);
    for (const condition of referenceConditions(meta, column, operands, references, row, columnPath) ??
      nameConditions(cls, column, operands, row, columnPath) ??
      columnConditions(column, operands, row, columnPath)) {
      const { where: sql, names: nameCondition } = filterConditionOf(condition);
      if (nameCondition) names.set(where.conditions.length, nameCondition);
      where.conditions.push(sql);
    }
    // The conditions above can use the index on the complete list. The conditions below match only the items that the caller may search.
    const searchableItems = searchablePart(meta, column, caller, row);
    if (searchableItems) where.conditions.push(...columnConditions(column, operands, row, columnPath, searchableItems));
  };
  const add = (key: string, value: unknown, fieldPath: string): void => {
    const column = columns.get(key);
    const relation = relations.get(key);
    if (key === 'and') {
      const parts = wheresOf(inputsOf(value), fieldPath);
      where.conditions.push(...parts.map(conjunction));
      for (const { ranks, isSelective, distance } of parts) {
        where.ranks.push(...ranks);
        where.isSelective ||= isSelective;
        where.distance ??= distance;
      }
    } else if (key === 'or') where.conditions.push(alternatives(wheresOf(inputsOf(value), fieldPath).map(conjunction)));
    else if (key === 'not' && isFilterInput(value))
      where.conditions.push(expression`not coalesce(${conjunction(whereOf(cls, value, row, access, fieldPath, depth))}, false)`);
    else if (filters[key]) {
      const condition = filterConditionOf(filters[key].sql(value, row, caller, fieldPath));
      const { where: sql, rank, isSelective, distance, branches, names: nameCondition } = condition;
      if (nameCondition) names.set(where.conditions.length, nameCondition);
      const list = branches ?? (isSelective ? [{ where: sql, isSelective }] : null);
      if (list) where.branches ??= { index: where.conditions.length, list };
      where.conditions.push(sql);
      if (rank) where.ranks.push(rank);
      if (isSelective) where.isSelective = true;
      where.distance ??= distance ?? null;
    } else if (column) addColumn(column, value, fieldPath);
    else if (key === legacyField && isFilterInput(value))
      runChecks(
        ...entriesOf(value).map(([name, value]) => () => {
          const legacyColumn = legacy.get(name);
          if (legacyColumn) addColumn(legacyColumn, value, `${fieldPath}.${name}`);
        }),
      );
    else if (polymorphicRelations.has(key) && isFilterInput(value)) {
      const parts = [...(polymorphicRelations.get(key)?.relations ?? [])].flatMap(([name, relation]) => {
        const part = value[name];
        return isFilterInput(part)
          ? [() => relatedConditions(relation, part, row, access, `${fieldPath}.${name}`, depth + 1)]
          : [];
      });
      where.conditions.push(...runChecks(...parts).flat());
    } else if (relation && isFilterInput(value))
      where.conditions.push(...relatedConditions(relation, value, row, access, fieldPath, depth + 1));
  };
  runChecks(
    ...entriesOf(filter).map(
      ([key, value]) =>
        () =>
          add(key, value, `${path}.${key}`),
    ),
  );
  return where;
}

/** Returns conditions on related rows that the caller can see. Throws FORBIDDEN if the caller may not read the related record. */
function relatedConditions(
  relation: FilterRelation,
  filter: FilterInput,
  row: RowReference,
  access: FilterAccess,
  path: string,
  depth: number,
): SqlExpression[] {
  const { target, isList } = relation;
  const { caller } = access;
  guard(readPoliciesOf(target, isList), caller, undefined, path);
  if (depth > maxNestedRelations) reject(path, `at most ${maxNestedRelations} nested relations`);
  const existsFor = (conditions: FilterInput, conditionsPath: string): SqlExpression => {
    const conditionsOf = (relatedRow: RowReference) => {
      const where = whereOf(target, conditions, relatedRow, access, conditionsPath, depth);
      const visible = visibleRows(target, caller, relatedRow);
      return visible ? [...where.conditions, visible] : where.conditions;
    };
    return existsRelatedRow(relation, conditionsOf, depth, caller, row);
  };
  if (!isList) return [existsFor(filter, path)];
  return runChecks(
    ...entriesOf(filter).map(([key, part]) => () => {
      if (!isFilterInput(part)) return alwaysTrue;
      const exists = existsFor(part, `${path}.${key}`);
      return key === 'none' ? expression`not ${exists}` : exists;
    }),
  );
}
