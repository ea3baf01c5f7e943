import { GraphQLJSON } from 'graphql-scalars';
import { Extensions, Field, Float, ID, InputType, Int } from 'type-graphql';
import { meaning } from '../declare/meaning.js';
import { classNamed, type FieldMeta, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { Instant, Money } from '../declare/scalars.js';
import { asLegacy, legacyField, legacyOf } from '../declare/shown.js';
import { grouped, worded } from '../declare/words.js';

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

/** Rules that the description of each input type states for all of its fields. */
const usual = { bounds: ` At most ${grouped(10_000)} characters.`, clears: ' Null clears it.' };

/** Maximum length of a text or list, unless the description already states it. */
const boundsOf = ({ kind, max, most, description, shown }: FieldMeta): string => {
  if (most && !description.includes('at most')) return ` At most ${most.join(' ')}.`;
  const isBound = kind === 'text' && !shown && !description.includes('characters');
  return isBound ? ` At most ${grouped(max)} characters.` : '';
};

/** Effect of null on a field. */
const whenUnset = ({ kind, isLasting, required, default: fallback }: FieldMeta): string => {
  if (kind === 'group' || kind === 'id') return '';
  if (isLasting) return ' Null does not change it.';
  return required && !fallback ? '' : usual.clears;
};

/**
 * Adds a field to an input. The schema omits the rules in `usual`, because the description of the input type states them. `declared` is the field of
 * the record, which defines the rules for null and for owners.
 */
function addField(twin: RecordClass, field: FieldMeta, text: string, rules: string, declared: FieldMeta): void {
  const bounds = boundsOf(field);
  const unset = whenUnset(declared);
  const fixed = declared.isFixedForOwner ? ' The owner of the record cannot change it.' : '';
  const unusual = (rule: string) => (rule === usual.bounds || rule === usual.clears ? '' : rule);
  const description = `${text}${unusual(bounds)}${rules}${unusual(unset)}${fixed}`;
  Field(() => typeOf(field, inputOf), { nullable: true, description })(twin.prototype, field.name);
  meaning(`${text}${bounds}${rules}${unset}${fixed}`)(twin.prototype, field.name);
}

/** Adds the field `legacy` to an input, for stored values. */
function addLegacy({ name, fields }: RecordMeta, twin: RecordClass): void {
  const all = [...fields.values()].flatMap((field) => {
    const stored = field.readOnly || field.secret ? null : legacyOf(field);
    return stored ? [{ field, stored }] : [];
  });
  if (all.length === 0) return;
  const made = classNamed(`${name}LegacyInput`);
  for (const { field, stored } of all) {
    const form = `\`${field.name}\` in the form of the legacy interface, with any value. Set only one of the two fields.`;
    addField(made, stored, field.onlyInLegacy ? field.description : form, '', field);
  }
  asLegacy(made);
  InputType(made.name, { description: `Values of \`${twin.name}\` in the form of the legacy interface \`/v1\`.` })(made);
  Field(() => made, { nullable: true, description: 'Values in the form of the legacy interface `/v1`.' })(
    twin.prototype,
    legacyField,
  );
}

/** Input type of a record or value, with the fields that clients may write. All are optional, because absent fields keep their values. */
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
      // On the type, because classes that extend an input lose the extensions of its fields.
      if (inner && field.isReported) Extensions({ isReported: true })(inputOf(inner));
      else if (inner) inputOf(inner);
    }
    if (field.onlyInLegacy) continue;
    const merges = field.mergedBy
      ? ` An entry changes the existing entry with the same ${field.mergedBy}, or is added. Entries without values are removed.`
      : '';
    addField(twin, field, field.description, merges, field);
  }
  addLegacy(meta, twin);
  const fixedForOwner = [...meta.fields.values()].filter((field) => field.isFixedForOwner).map(({ name }) => name);
  if (fixedForOwner.length > 0) Extensions({ fixedForOwner })(twin);
  const what = worded(meta.options?.one ?? cls.name);
  InputType(twin.name, {
    description: `Values of ${what} to write. Absent fields keep their values. Unless its description states otherwise, null clears a field, and a text has at most ${grouped(10_000)} characters.`,
  })(twin);
  return twin;
}

/** The record or value of an input type, by the name of the input type. */
export const metaOfInput = (type: string): RecordMeta | undefined => metas.get(type);
