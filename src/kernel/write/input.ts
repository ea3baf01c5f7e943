import { GraphQLJSON } from 'graphql-scalars';
import { Extensions, Field, Float, ID, InputType, Int } from 'type-graphql';
import { classNamed, type FieldMeta, metaOf, type RecordClass, type RecordMeta } from '../declare/meta.js';
import { Instant, Money } from '../declare/scalars.js';
import { isNameOf, rawOf } from '../declare/shown.js';
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
    const clears = field.isLasting ? ' Null leaves it as it is.' : field.required && !field.default ? '' : ' Null clears it.';
    const merges = field.mergedBy
      ? ` Entries change those of the same ${field.mergedBy}, and are added where there is none; an entry that says nothing any more goes.`
      : '';
    const fixed = field.isFixedForOwner ? ' The owner of the record cannot change it.' : '';
    const description = `${field.description}${boundsOf(field)}${merges}${field.kind === 'group' || field.kind === 'id' ? '' : clears}${fixed}`;
    const raw = rawOf(field);
    if (raw && isNameOf(field)) {
      Field(() => typeOf(raw, inputOf), { nullable: true, description })(twin.prototype, raw.name);
      continue;
    }
    Field(() => typeOf(field, inputOf), { nullable: true, description })(twin.prototype, field.name);
    if (raw)
      Field(() => typeOf(raw, inputOf), {
        nullable: true,
        description: `\`${field.name}\` in the form of the legacy interface, with any value. Set only one of the two fields.${boundsOf(raw)}${clears}${fixed}`,
      })(twin.prototype, raw.name);
  }
  const fixedForOwner = [...meta.fields.values()].flatMap((field) =>
    field.isFixedForOwner ? [field.name, rawOf(field)?.name].filter((name) => name !== undefined) : [],
  );
  if (fixedForOwner.length > 0) Extensions({ fixedForOwner })(twin);
  InputType(twin.name, { description: `${meta.description} Absent fields keep their values, null clears.` })(twin);
  return twin;
}

/** The record or value whose twin the input type of that name is. */
export const metaOfInput = (type: string): RecordMeta | undefined => metas.get(type);
