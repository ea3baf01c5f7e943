import { buildSchema, print } from 'graphql';
import { expect, test } from 'vitest';
import type { Ownership } from '../../src/gateway/ownership.js';
import { slice } from '../../src/gateway/slice.js';

const owned: Ownership = { records: new Map(), home: new Map(), ownerOf: () => 'tournaments' };

test('what is deprecated is so in subgraphs, with its reason', () => {
  const places = [
    'type Query { old(of: Int @deprecated(reason: "Use `a`."), input: I): E @deprecated(reason: "Use `b`.") }',
    'enum E { NEW OLD @deprecated(reason: "Use `c`.") }',
    'input I { new: Int old: Int @deprecated(reason: "Use `d`.") }',
  ];
  const text = print(slice(buildSchema(places.join('\n')), owned, 'tournaments'));
  expect(text.match(/\w+(: \w+)? @deprecated\(reason: ".*?"\)/g)?.sort()).toEqual(
    [
      'OLD @deprecated(reason: "Use `c`.")',
      '): E @deprecated(reason: "Use `b`.")',
      'of: Int @deprecated(reason: "Use `a`.")',
      'old: Int @deprecated(reason: "Use `d`.")',
    ]
      .map((each) => each.replace('): ', ''))
      .sort(),
  );
});

test('a subgraph says whose it is, and which module it serves', () => {
  const text = print(slice(buildSchema('type Query { one: Int }'), owned, 'tournaments'));
  expect(text).toContain('@contact(name: "Courtside", description: "The module tournaments.")');
  expect(text).toContain('directive @contact(name: String!, url: String, description: String) on SCHEMA');
});
