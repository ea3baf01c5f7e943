import { buildSchema, print } from 'graphql';
import { expect, test } from 'vitest';
import type { Ownership } from '../../../src/graphql/federation/ownership.js';
import { slice } from '../../../src/graphql/federation/slice.js';

const ownership: Ownership = { records: new Map(), moduleByRecord: new Map(), ownerOf: () => 'tournaments' };

test('a subgraph keeps the deprecations of fields, arguments, enum values and input fields, with their reasons', () => {
  const schema = buildSchema(`
    type Query { old(of: Int @deprecated(reason: "Use \`a\`."), input: I): E @deprecated(reason: "Use \`b\`.") }
    enum E { NEW OLD @deprecated(reason: "Use \`c\`.") }
    input I { new: Int old: Int @deprecated(reason: "Use \`d\`.") }
  `);
  const text = print(slice(schema, ownership, 'tournaments'));
  expect(text.match(/\w+(: \w+)? @deprecated\(reason: ".*?"\)/g)?.sort()).toEqual([
    'E @deprecated(reason: "Use `b`.")',
    'OLD @deprecated(reason: "Use `c`.")',
    'of: Int @deprecated(reason: "Use `a`.")',
    'old: Int @deprecated(reason: "Use `d`.")',
  ]);
});

test('a subgraph names its contact and its module', () => {
  const text = print(slice(buildSchema('type Query { one: Int }'), ownership, 'tournaments'));
  expect(text).toContain('@contact(name: "Courtside", description: "The module tournaments.")');
  expect(text).toContain('directive @contact(name: String!, url: String, description: String) on SCHEMA');
});
