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

const raws = new WeakMap<FieldMeta, FieldMeta>();

/** The field with the value as it is kept, beside the one that shows it; null where there is none. */
export function rawOf(field: FieldMeta): FieldMeta | null {
  const { kind, shown } = field;
  if (!shown?.raw) return null;
  const known = raws.get(field);
  if (known) return known;
  const seen = field.private ? ' Seen by those who see that.' : '';
  const raw: FieldMeta = {
    ...field,
    name: shown.raw,
    type: rawTypes[kind] ?? (() => String),
    description: `\`${field.name}\` as it was sent, whatever it is: what does not fit there is found here.${seen}`,
    shown: undefined,
    values: null,
  };
  raws.set(field, raw);
  return raw;
}
