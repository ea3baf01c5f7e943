import fc from 'fast-check';
import type { Codec, Codecs, Data } from '../../../compat/engine/index.js';
import type { Parameter } from '../../../compat/engine/request/reader.js';
import { fieldsOf, recordsOf } from '../../support/fixtures/legacy-values.js';
import { password } from './attacked.js';
import type { Draw } from './draw.js';
import { idFor, type Pools } from './pools.js';

const moment = fc
  .integer({ min: -400, max: 400 })
  .map((days) => new Date(Date.UTC(2026, 6, 1) + days * 86_400_000).toISOString());
const word = fc.constantFrom('Austin', 'open', 'doubles', 'Ana', 'a', 'Österreich', '东京', 'x-1');

/** Returns a plausible value for a field with the given name. */
function namedValue(draw: Draw, pools: Pools, name: string, path: string): unknown {
  if (/uuid|_id|Id$|^id$|ids$/i.test(name)) return idFor(draw, pools, name, path);
  if (/password/i.test(name)) return draw.chance(0.3) ? 'courtside-demo' : password;
  if (/email/i.test(name)) return draw.pick(['abuse@example.com', 'player@courtside.test', 'abuse-user@example.com']);
  if (/url|link/i.test(name)) return 'https://example.com/a';
  if (/date|_at$|At$|time|start|end/i.test(name)) return draw.of(moment);
  return undefined;
}

/** Returns the text of a path, query or header parameter, according to its schema. */
export function textFor(draw: Draw, pools: Pools, { name, schema }: Parameter, path: string): string {
  const {
    enum: values,
    type,
    minimum = 0,
    maximum = 50,
  } = schema as { enum?: string[]; type?: string; minimum?: number; maximum?: number };
  if (values) return draw.pick(values);
  if (type === 'boolean') return draw.pick(['true', 'false', '1', '0', 'TRUE']);
  if (type === 'integer' || type === 'number')
    return String(minimum + draw.upTo(Math.max(1, Math.min(maximum, minimum + 100) - minimum)));
  const valueByName = namedValue(draw, pools, name, path);
  if (typeof valueByName === 'string') return valueByName;
  return draw.of(word);
}

const arbitraryByCodec = new WeakMap<Codec, fc.Arbitrary<Data>>();

/** Creates a record according to its schema, with IDs of existing rows. Omits some fields. */
export function recordFor(draw: Draw, pools: Pools, codec: Codec, codecs: Codecs, path: string): Data {
  const arbitrary = arbitraryByCodec.get(codec) ?? recordsOf(codec, codecs);
  arbitraryByCodec.set(codec, arbitrary);
  const full = draw.of(arbitrary);
  const share = draw.pick([0, 0.3, 0.8]);
  const properties = fieldsOf(codec, 'request');
  return Object.fromEntries(
    Object.entries(full).flatMap(([name, value]) => {
      if (!/^(id|uuid)$/i.test(name) && draw.chance(share)) return [];
      const isText = properties[name]?.type === 'string' && !properties[name]?.enum;
      const valueByName =
        isText || typeof value === 'string' ? namedValue(draw, pools, name, `${codec.record.name} ${path}`) : undefined;
      return [[name, typeof value === 'string' && valueByName !== undefined && draw.chance(0.9) ? valueByName : value]];
    }),
  );
}
