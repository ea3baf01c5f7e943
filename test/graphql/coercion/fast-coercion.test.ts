import {
  coerceInputValue,
  type GraphQLInputType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { expect, test } from 'vitest';
import { coercerFor } from '../../../src/graphql/coercion/fast-coercion.js';
import { graphOfModules } from '../../../src/graphql/graph.js';

const schema = graphOfModules();
const scalars = [
  '',
  'Austin',
  '5',
  '12.5',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '10:30',
  5,
  1.5,
  -1,
  true,
  false,
  'USD',
  {},
  [],
  null,
];

/** Returns a function that generates pseudorandom integers from 0 to `below - 1`. The same seed generates the same integers. */
function randomIntegers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Returns a value for a type. Most values are valid, and some have errors. */
function valueFor(type: GraphQLInputType, pick: (below: number) => number, depth = 0): unknown {
  if (isNonNullType(type)) return pick(30) ? valueFor(type.ofType, pick, depth) : null;
  if (!pick(20)) return scalars[pick(scalars.length)];
  if (isListType(type)) return Array.from({ length: pick(3) }, () => valueFor(type.ofType, pick, depth + 1));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter((field) => isNonNullType(field.type) || pick(depth + 2) === 0);
    const entries = (depth < 4 ? fields : []).map((field) => [field.name, valueFor(field.type, pick, depth + 1)]);
    return Object.fromEntries(pick(40) ? entries : [...entries, ['stranger', 1]]);
  }
  const values = isLeafType(type) && 'getValues' in type ? type.getValues().map(({ name }) => name) : [];
  return values.length && pick(10) ? values[pick(values.length)] : scalars[pick(scalars.length)];
}

/** Returns the value as graphql-js coerces it, or `invalid`. */
function coerceByGraphqlJs(value: unknown, type: GraphQLInputType): unknown {
  try {
    return coerceInputValue(value, type);
  } catch {
    return 'invalid';
  }
}

function coerce(value: unknown, type: GraphQLInputType): unknown {
  try {
    return coercerFor(type)(value);
  } catch {
    return 'invalid';
  }
}

test('every input type accepts, coerces and rejects the same values as graphql-js', () => {
  const inputs = Object.values(schema.getTypeMap()).filter((type) => isInputType(type) && !type.name.startsWith('__'));
  let valid = 0;
  let invalid = 0;
  for (const [index, type] of inputs.entries()) {
    const pick = randomIntegers(index + 1);
    for (let round = 0; round < 12; round++) {
      const value = valueFor(type as GraphQLInputType, pick);
      const expected = coerceByGraphqlJs(value, type as GraphQLInputType);
      expect(coerce(value, type as GraphQLInputType), `${type.name} of ${JSON.stringify(value)}`).toEqual(expected);
      if (expected === 'invalid') invalid++;
      else valid++;
    }
  }
  expect(valid).toBeGreaterThan(500);
  expect(invalid).toBeGreaterThan(500);
});

test('coerced fields have the order of their type, and absent fields without a default stay absent', () => {
  const type = schema.getType('TeamInput') as GraphQLInputType;
  const team = coerce({ seed: 3, id: 'a' }, type) as object;
  expect(Object.keys(team)).toEqual(Object.keys(coerceByGraphqlJs({ seed: 3, id: 'a' }, type) as object));
  expect(team).toStrictEqual({ id: 'a', seed: 3 });
});
