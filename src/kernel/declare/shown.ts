import { Float } from 'type-graphql';
import type { FieldKind, FieldMeta } from './meta.js';
import { Instant, Money } from './scalars.js';

/** The field beside another one that holds what was sent. */
export const rawName = (name: string): string => `${name}Raw`;

const rawTypes: Readonly<Partial<Record<FieldKind, () => object>>> = {
  num: () => Float,
  money: () => Money,
  instant: () => Instant,
};

/** Whether the graph has the record that a text names under the name of its field, and the text itself beside it only. */
export const isNameOf = ({ named }: FieldMeta): boolean => named !== undefined && named.one === undefined;

const raws = new WeakMap<FieldMeta, FieldMeta>();

/** The field with the value as it is kept, beside the one that shows it or the record that it names; null where there is none. */
export function rawOf(field: FieldMeta): FieldMeta | null {
  const { kind, shown } = field;
  const name = isNameOf(field) ? rawName(field.name) : shown?.raw;
  if (!name) return null;
  const known = raws.get(field);
  if (known) return known;
  const seen = field.private ? ' Seen by those who see that.' : '';
  const raw: FieldMeta = {
    ...field,
    name,
    type: rawTypes[kind] ?? (() => String),
    description: isNameOf(field)
      ? field.description
      : `\`${field.name}\` as it was sent, whatever it is: what does not fit there is found here.${seen}`,
    shown: undefined,
    values: null,
  };
  raws.set(field, raw);
  return raw;
}
