import { GraphQLJSON } from 'graphql-scalars';
import { Extensions, Field, Float, ID, InputType, Int } from 'type-graphql';
import { classNamed, type FieldMeta, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { Instant, Money } from '../declare/scalars.js';
import { asLegacy, legacyField, legacyOf } from '../declare/shown.js';
import { grouped } from '../declare/words.js';

const inputs = new Map<RecordClass, RecordClass>();
/** What the input types are twins of, by their names. */
const metas = new Map<string, RecordMeta>();

/** The GraphQL type of a field's value, as input; `nested` gives the class that stands for a group or a JSON value. */
export function typeOf(field: FieldMeta, nested: (cls: RecordClass) => RecordClass): object {
  if (field.shown) return field.type();
  switch (field.kind) {
    case 'id':
    case 'ref':
      return ID;
    case 'text':
      return String;
    case 'flag':
      return Boolean;
    case 'int':
      return Int;
    case 'num':
      return Float;
    case 'money':
      return Money;
    case 'instant':
      return Instant;
    case 'list':
      return [field.ref ? ID : String];
    case 'values':
      return field.values ?? String;
    case 'group':
    case 'json': {
      const inner = field.group?.();
      if (!inner) return GraphQLJSON;
      return Array.isArray(inner) ? [nested(inner[0])] : nested(inner);
    }
  }
}

/** How long a text or a list may be, unless its description says so. */
const boundsOf = ({ kind, max, most, description, shown }: FieldMeta): string => {
  if (most && !description.includes('at most')) return ` At most ${most.join(' ')}.`;
  const isBound = kind === 'text' && !shown && !description.includes('characters');
  return isBound ? ` At most ${grouped(max)} characters.` : '';
};

/** What null means for a field, and who cannot change it. */
function whenUnset({ kind, isLasting, required, default: fallback, isFixedForOwner }: FieldMeta): string {
  const clears = isLasting ? ' Null leaves it as it is.' : required && !fallback ? '' : ' Null clears it.';
  return `${kind === 'group' || kind === 'id' ? '' : clears}${isFixedForOwner ? ' The owner of the record cannot change it.' : ''}`;
}

/** Adds the field `legacy` to an input, for values in the form in which the columns store them. */
function addLegacy({ name, fields }: RecordMeta, twin: RecordClass): void {
  const all = [...fields.values()].flatMap((field) => {
    const stored = field.readOnly || field.secret ? null : legacyOf(field);
    return stored ? [{ field, stored }] : [];
  });
  if (all.length === 0) return;
  const made = classNamed(`${name}LegacyInput`);
  for (const { field, stored } of all) {
    const form = `\`${field.name}\` in the form of the legacy interface, with any value. Set only one of the two fields.`;
    const description = `${field.onlyInLegacy ? field.description : form}${boundsOf(stored)}${whenUnset(field)}`;
    Field(() => typeOf(stored, inputOf), { nullable: true, description })(made.prototype, stored.name);
  }
  asLegacy(made);
  InputType(made.name, { description: `Values of \`${twin.name}\` in the form of the legacy interface \`/v1\`.` })(made);
  Field(() => made, { nullable: true, description: 'Values in the form of the legacy interface `/v1`.' })(
    twin.prototype,
    legacyField,
  );
}

/** The input twin of a record or value: every field that clients may write, each of them optional, because inputs patch. */
export function inputOf(cls: RecordClass): RecordClass {
  const known = inputs.get(cls);
  if (known) return known;
  const meta = metaOf(cls);
  const twin = classNamed(`${cls.name}Input`);
  inputs.set(cls, twin);
  metas.set(twin.name, meta);
  for (const field of meta.fields.values()) {
    if (field.readOnly || field.secret) continue;
    for (const inner of [field.group?.()].flat()) {
      // On the type, because classes that extend an input lose what its fields are marked with.
      if (inner && field.isReported) Extensions({ isReported: true })(inputOf(inner));
      else if (inner) inputOf(inner);
    }
    if (field.onlyInLegacy) continue;
    const merges = field.mergedBy
      ? ` Entries change those of the same ${field.mergedBy}, and are added where there is none; an entry that says nothing any more goes.`
      : '';
    const description = `${field.description}${boundsOf(field)}${merges}${whenUnset(field)}`;
    Field(() => typeOf(field, inputOf), { nullable: true, description })(twin.prototype, field.name);
  }
  addLegacy(meta, twin);
  const fixedForOwner = [...meta.fields.values()].filter((field) => field.isFixedForOwner).map(({ name }) => name);
  if (fixedForOwner.length > 0) Extensions({ fixedForOwner })(twin);
  InputType(twin.name, { description: `${meta.description} Absent fields keep their values, null clears.` })(twin);
  return twin;
}

/** The record or value whose twin the input type of that name is. */
export const metaOfInput = (type: string): RecordMeta | undefined => metas.get(type);
