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
import { graphOfModules } from '../../src/gateway/graph.js';
import { coercerOf } from '../../src/gateway/right-values.js';

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

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** A value that is mostly right for a type, and sometimes wrong in one place or another. */
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

/** What graphql-js makes of a value; its word for those that are wrong. */
function reference(value: unknown, type: GraphQLInputType): unknown {
  try {
    return coerceInputValue(value, type);
  } catch {
    return 'wrong';
  }
}

function quick(value: unknown, type: GraphQLInputType): unknown {
  try {
    return coercerOf(type)(value);
  } catch {
    return 'wrong';
  }
}

test('right values become what graphql-js makes of them, wrong ones are told from them, for every input of the graph', () => {
  const inputs = Object.values(schema.getTypeMap()).filter((type) => isInputType(type) && !type.name.startsWith('__'));
  let right = 0;
  let wrong = 0;
  for (const [index, type] of inputs.entries()) {
    const pick = numbers(index + 1);
    for (let round = 0; round < 12; round++) {
      const value = valueFor(type as GraphQLInputType, pick);
      const expected = reference(value, type as GraphQLInputType);
      expect(quick(value, type as GraphQLInputType), `${type.name} of ${JSON.stringify(value)}`).toEqual(expected);
      if (expected === 'wrong') wrong++;
      else right++;
    }
  }
  expect(right).toBeGreaterThan(500);
  expect(wrong).toBeGreaterThan(500);
});

test('fields keep the order of their type, and absent ones stay absent unless they have a default', () => {
  const type = schema.getType('TeamInput') as GraphQLInputType;
  const made = quick({ seed: 3, id: 'a' }, type) as object;
  expect(Object.keys(made)).toEqual(Object.keys(reference({ seed: 3, id: 'a' }, type) as object));
  expect(made).toStrictEqual({ id: 'a', seed: 3 });
});
