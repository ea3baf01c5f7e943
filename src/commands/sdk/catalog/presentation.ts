import type { FieldType, RecordType } from './types.ts';

/** Maximum number of columns of a list, in addition to the name of the record. */
const maxColumns = 6;

/** Fields that name a record, in order of preference. */
const nameFields = ['title', 'label', 'number', 'route', 'event', 'recordType', 'phoneNumber', 'playerName', 'url', 'matchId'];

/** Fields that name a record only if it has no relations. */
const weakNameFields = new Set(['url', 'matchId']);

/** Relations that describe a record, but do not name it, such as its author or currency. */
const details =
  /^(?:creator|updater|disabler|archiver|(?:approved|canceled)By\w*|viewer\w+|platform|registration|originalEvent|coinTossTeam|prematch|biography|listing|phoneCountry|systemTextNumber|timeZone|currency)$/;

/** Relations to people, which come first in a name. */
const people = /^(?:user|player|playerOne|playerTwo|author|owner|inviter)$/;

const isText = ({ type, isList }: FieldType): boolean => type === 'String' && !isList;

/** Information about other types that the functions of this file need. */
export interface TypeLookup {
  /** Whether a type is a record type or a union of record types. */
  isRecord(type: string): boolean;
  /** Returns the types of a union, or the type itself. */
  membersOf(type: string): readonly string[];
  isEnum(type: string): boolean;
  /** Returns the fields of a value. Empty for other types. */
  fieldsOf(value: string): readonly FieldType[];
}

/**
 * Returns the relations that name a record. Relations to people come first. Omits other relations to members of a union if the record also
 * has a relation to the union itself.
 */
function relationsIn(fields: readonly FieldType[], { isRecord, membersOf }: TypeLookup): readonly FieldType[] {
  const relations = fields.filter(
    ({ name, type, isList, isConnection, roles }) => isRecord(type) && !isList && !isConnection && !roles && !details.test(name),
  );
  const unionMembers = relations.flatMap(({ type }) => (membersOf(type).length > 1 ? membersOf(type) : []));
  return relations
    .filter(({ name, type }) => people.test(name) || !unionMembers.includes(type))
    .sort((a, b) => Number(people.test(b.name)) - Number(people.test(a.name)));
}

/** Chooses the fields that name a record: its title, the name of a person, or else its first two relations. */
export function chooseLabel(fields: readonly FieldType[], types: TypeLookup): readonly string[] {
  const texts = new Set(fields.filter(isText).map(({ name }) => name));
  if (texts.has('title')) return ['title'];
  if (texts.has('lastName')) return ['firstName', 'lastName'];
  const [name] = nameFields.filter((field) => texts.has(field));
  const relations = relationsIn(fields, types).map((field) => field.name);
  if (name && (!weakNameFields.has(name) || relations.length === 0)) return [name];
  return relations.slice(0, 2);
}

const isPlainText = ({ name, type }: FieldType): boolean =>
  type === 'String' && !/url|text|description|content|note|page|body|by$/i.test(name);

const isDate = ({ name, type }: FieldType): boolean =>
  /^(?:Instant|Date|LocalDateTime)$/.test(type) && !/^(?:createdAt|updatedAt)$/.test(name);

/**
 * Chooses the columns of a list, in this order: email address, a state and another enum, related records, city, dates, an amount, the time
 * of the last change, and other short fields.
 */
export function chooseColumns(fields: readonly FieldType[], label: readonly string[], types: TypeLookup): readonly string[] {
  const parts = (field: FieldType, isChosen: (part: FieldType) => boolean) =>
    types.fieldsOf(field.type).flatMap((part) => (isChosen(part) ? [{ ...part, path: `${field.name}.${part.name}` }] : []));
  const candidates = fields
    .filter(({ name, isList, isConnection, roles }) => !label.includes(name) && !isList && !isConnection && !roles)
    .flatMap((field) => [
      { ...field, path: field.name },
      ...parts(
        field,
        ({ name, type }) => (name === 'state' && types.isEnum(type)) || (field.name === 'location' && name === 'city'),
      ),
    ]);
  const choose = (count: number, isChosen: (field: FieldType) => boolean) => candidates.filter(isChosen).slice(0, count);
  const relations = relationsIn(fields, types).flatMap(({ name }) => (label.includes(name) ? [] : [name]));
  const chosen = [
    ...choose(1, ({ name }) => name === 'email'),
    ...choose(1, ({ name, type }) => types.isEnum(type) && /state|status|phase|lifecycle|action/i.test(name)),
    ...choose(1, ({ name, type }) => types.isEnum(type) && name !== 'gender'),
    ...choose(maxColumns, ({ name }) => relations.slice(0, 2).includes(name)),
    ...choose(1, ({ name }) => name === 'city'),
    ...choose(1, ({ name }) => name === 'startsAt'),
    ...choose(1, isDate),
    ...choose(1, ({ type }) => type === 'Money'),
    ...choose(1, ({ name }) => name === 'updatedAt'),
    ...choose(
      maxColumns,
      (field) => /^(?:Int|Float|Boolean)$/.test(field.type) || isPlainText(field) || field.name === 'createdAt',
    ),
  ];
  return [...new Set(chosen.map(({ path }) => path))].slice(0, maxColumns);
}

/** Chooses the filter that finds records by text: the full-text search, or else the filter on the field that names the record. */
export const chooseSearch = (label: readonly string[], filters: RecordType['filters']): string | undefined =>
  ['search', ...(label.length === 1 ? label : [])].find((name) =>
    filters.some((filter) => filter.name === name && filter.type === 'String'),
  );

/**
 * Returns the path of the currency code for the amounts of a record, such as `currency.abbreviation`. The currency belongs to the record
 * itself, to the items of one of its values, or to a related record. For example, payments use the currency of their invoice.
 */
export function currencyPathOf(
  fields: readonly FieldType[],
  types: TypeLookup,
  relatedFieldsOf?: (type: string) => readonly FieldType[],
  recordRoles: readonly string[] = [],
): string | undefined {
  const own = fields.find(({ type, isConnection }) => type === 'Currency' && !isConnection);
  if (own) return `${own.name}.abbreviation`;
  for (const { name, type } of fields) {
    const path = currencyPathOf(types.fieldsOf(type), types);
    if (path) return `${name}.${path}`;
  }
  if (!relatedFieldsOf) return;
  // Everyone who can read the record must be able to read the relation.
  const isReadable = (roles: readonly string[] | undefined) =>
    !roles || (recordRoles.length > 0 && recordRoles.every((role) => roles.includes(role)));
  const relations = fields.filter(
    ({ type, isList, isConnection, roles }) => types.isRecord(type) && !isList && !isConnection && isReadable(roles),
  );
  for (const { name, type } of relations) {
    const path = currencyPathOf(relatedFieldsOf(type), types);
    if (path) return `${name}.${path}`;
  }
}
