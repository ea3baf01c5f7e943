import { GraphQLJSON } from 'graphql-scalars';
import { Float, ID, Int } from 'type-graphql';
import { GeneratedType, type InputValueSpec, type InputValues } from '../declare/fields/generated.js';
import { legacyExtensions, legacyField, legacyInputFieldOf } from '../declare/fields/legacy-fields.js';
import { memoize } from '../declare/memoize.js';
import { type FieldMeta, metaOf, type RecordClass, type RecordMeta, recordMetas } from '../declare/meta.js';
import { Instant, Money } from '../declare/scalars/scalars.js';
import { formatInteger, withArticle as oneOf } from '../declare/scalars/words.js';

/** Records and values, keyed by the names of their input types. */
const metasByInput = new Map<string, RecordMeta>();

/** Returns the GraphQL input type of a field. `nested` returns the input type of a group or a JSON value. */
export function inputTypeOf(field: FieldMeta, nested: (cls: RecordClass) => GeneratedType): object {
  if (field.conversion) return field.type();
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
      const group = field.group?.();
      if (!group) return GraphQLJSON;
      return Array.isArray(group) ? [nested(group[0])] : nested(group);
    }
  }
}

/** Rules that apply to most fields. The description of each input type states them once. */
const defaultRules = { bounds: ` At most ${formatInteger(10_000)} characters.`, clears: ' Null clears it.' };

/** Describes the maximum length of a text or list, unless the description already states it. */
const boundsOf = ({ kind, max, maxItems, description, conversion }: FieldMeta): string => {
  if (maxItems && !description.includes('at most')) return ` At most ${maxItems.join(' ')}.`;
  const isBound = kind === 'text' && !conversion && !description.includes('characters');
  return isBound ? ` At most ${formatInteger(max)} characters.` : '';
};

/** Describes the effect of null on a field. */
const nullRule = ({ kind, cannotBeCleared, required, default: fallback }: FieldMeta): string => {
  if (kind === 'group' || kind === 'id') return '';
  if (cannotBeCleared) return ' Null does not change it.';
  return required && !fallback ? '' : defaultRules.clears;
};

/**
 * Returns a field of an input. Its description omits the rules in `defaultRules`, because the description of the input type states them.
 * `recordField` is the corresponding field of the record, which has the rules for null and for owners.
 */
function inputField(field: FieldMeta, text: string, rules: string, recordField: FieldMeta): InputValueSpec {
  const bounds = boundsOf(field);
  const nullText = nullRule(recordField);
  const ownerText = recordField.isReadOnlyForOwner ? ' The owner of the record cannot change it.' : '';
  const unlessDefault = (rule: string) => (rule === defaultRules.bounds || rule === defaultRules.clears ? '' : rule);
  return {
    type: () => inputTypeOf(field, inputOf),
    description: `${text}${unlessDefault(bounds)}${rules}${unlessDefault(nullText)}${ownerText}`,
    meaning: `${text}${bounds}${rules}${nullText}${ownerText}`,
    extensions: field.mergeKey ? { mergeKey: field.mergeKey } : undefined,
  };
}

/** Returns the type of an input's `legacy` field, for stored values and IDs of unknown reference data. Null if there are no such fields. */
function legacyInputOf({ name, fields }: RecordMeta, input: string): GeneratedType | null {
  const legacyFields = [...fields.values()].flatMap((field) => {
    const storedField = field.readOnly || field.secret ? null : legacyInputFieldOf(field);
    return storedField ? [{ field, storedField }] : [];
  });
  if (legacyFields.length === 0) return null;
  const fieldOf = ({ field, storedField }: (typeof legacyFields)[number]) => {
    const legacyDescription = `Unvalidated alternative to \`${input}.${field.name}\`.`;
    return [
      storedField.name,
      inputField(storedField, field.legacyOnlyName ? field.description : legacyDescription, '', field),
    ] as const;
  };
  return new GeneratedType(`${name}LegacyInput`, {
    kind: 'input',
    description: `Fields of \`${input}\` in legacy \`/v1\` format.`,
    extensions: legacyExtensions,
    fields: () => Object.fromEntries(legacyFields.map(fieldOf)),
  });
}

/** Returns the input fields of a record or value. Input types with additional fields use them as well. */
export function inputFieldsOf(cls: RecordClass): InputValues {
  const meta = metaOf(cls);
  const fields: Record<string, InputValueSpec> = {};
  for (const field of meta.fields.values()) {
    if (field.readOnly || field.secret || field.legacyOnlyName) continue;
    const mergeRule = field.mergeKey
      ? ` An item updates the existing item with the same ${field.mergeKey}, or is added if there is none. An item is removed if its other fields are all null or false. An empty list removes all items.`
      : '';
    fields[field.name] = inputField(field, field.description, mergeRule, field);
  }
  const legacy = legacyTypes.get(cls) ?? legacyInputOf(meta, `${cls.name}Input`);
  legacyTypes.set(cls, legacy);
  if (legacy) fields[legacyField] = { type: () => legacy, description: 'Fields in legacy `/v1` format.' };
  return fields;
}

const legacyTypes = new Map<RecordClass, GeneratedType | null>();

/** Whether a class is the type of a field with `isReported`. */
const isReported = (cls: RecordClass): boolean =>
  recordMetas().some(({ fields }) => [...fields.values()].some((field) => field.isReported && field.group?.() === cls));

/** Returns the input type of a record or value, with the fields that clients may write. All fields are optional. Omitted fields keep their values. */
export const inputOf: (cls: RecordClass) => GeneratedType = memoize((cls) => {
  const meta = metaOf(cls);
  const fixedForOwner = [...meta.fields.values()].filter((field) => field.isReadOnlyForOwner).map(({ name }) => name);
  const noun = oneOf(meta.options?.one ?? cls.name);
  const type = new GeneratedType(`${cls.name}Input`, {
    kind: 'input',
    description: `Fields to set on ${noun}. Omitted fields keep their values. Unless a field says otherwise, null clears it, and text can have at most ${formatInteger(10_000)} characters.`,
    extensions: {
      ...(isReported(cls) && { isReported: true }),
      ...(fixedForOwner.length > 0 && { fixedForOwner }),
    },
    fields: () => inputFieldsOf(cls),
  });
  metasByInput.set(type.name, meta);
  return type;
});

/** Returns the record or value of an input type, by the name of the input type. Undefined for other input types. */
export const metaOfInput = (type: string): RecordMeta | undefined => metasByInput.get(type);
