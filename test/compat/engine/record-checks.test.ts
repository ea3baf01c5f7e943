import { expect, test } from 'vitest';
import {
  codecsOf,
  enumText,
  nested,
  type RecordTable,
  readOnly,
  record,
  sameForFields,
  writeOnly,
} from '../../../compat/engine/index.js';
import { sampleGraph } from './sample-graph.js';
import { place, signUp } from './sample-tables.js';

/** Returns the problems that the startup check reports for a table. */
const problemsOf = (rule: RecordTable, name = 'Sample'): string[] => {
  const problems: string[] = [];
  codecsOf(sampleGraph().schema, [record(name, rule)], (problem) => problems.push(problem.replace('record Sample', '…')));
  return problems;
};

const types = { type: 'Tournament', input: 'TournamentInput' };

test.for<[string, RecordTable, string[]]>([
  [
    'an unknown type',
    { type: 'Team', input: 'TeamInput', fields: 'id' },
    ['…: the GraphQL schema has no object type Team', '…: the GraphQL schema has no input type TeamInput'],
  ],
  ['an unknown field', { type: 'Tournament', fields: 'colour' }, ['…, field colour: Tournament has no field "colour"']],
  [
    'an unknown path',
    { type: 'Tournament', fields: 'town', paths: { town: 'location.town' } },
    ['…, field town: Location has no field "town"'],
  ],
  [
    'a path through a scalar',
    { type: 'Tournament', fields: 'a', paths: { a: 'title.b' } },
    ['…, field a: String has no field "b"'],
  ],
  [
    'a path through a list',
    { type: 'Tournament', fields: 'a', paths: { a: 'approvals.status' } },
    ['…, field a: "approvals" is a list: select one item, such as approvals[code=X].title'],
  ],
  [
    'an item of a field that is not a list',
    { type: 'Tournament', fields: 'a', paths: { a: 'location[city=X].city' } },
    ['…, field a: "location" is not a list'],
  ],
  ['a syntax error in a path', { type: 'Tournament', fields: 'a', paths: { a: 'a b' } }, ['…, field a: the path is invalid']],
  ['a field that the input lacks', { ...types, fields: 'code' }, ['…, field code: TournamentInput has no input field "code"']],
  ['the same field, read only', { ...types, fields: 'code', as: { code: readOnly } }, []],
  ['a field that the type lacks', { ...types, fields: 'password' }, ['…, field password: Tournament has no field "password"']],
  ['the same field, write only', { ...types, fields: 'password', as: { password: writeOnly } }, []],
  [
    'a field neither read nor written',
    { type: 'Tournament', fields: 'title', as: { title: writeOnly } },
    ['…, field title: is neither in responses nor in requests'],
  ],
  ['a duplicate field', { type: 'Tournament', fields: 'title title' }, ['…, field title: is listed twice in `fields`']],
  [
    'two fields with the same path',
    { ...types, fields: 'title Title' },
    ['…, field Title: sets the same input field as title: make one of them readOnly'],
  ],
  [
    'an exception for an unknown field',
    { type: 'Tournament', fields: 'title', as: sameForFields('tilte', readOnly), paths: { x: 'title' } },
    ['…, field tilte: is in `as` or `paths`, but not in `fields`', '…, field x: is in `as` or `paths`, but not in `fields`'],
  ],
  [
    'a read-only owner',
    { ...types, fields: 'title code', owner: 'code', as: { code: readOnly } },
    ['…, field code: is in `owner` or `preserved`, but not in requests'],
  ],
  [
    'an object without a record',
    { type: 'Tournament', fields: 'location' },
    ['…, field location: Location is an object: add the field to `as` with nested(record) or listOf(record)'],
  ],
  [
    'a scalar without a default format',
    { type: 'Tournament', fields: 'shape' },
    ['…, field shape: the scalar Shape has no default format: add the field to `as` with a shape'],
  ],
  [
    'a nested record without an input type',
    { ...types, fields: 'location', as: { location: nested(place) } },
    ['…, field location: the record Place has no input type, so it cannot be used in requests'],
  ],
  [
    'a nested record without an output type',
    { type: 'Tournament', fields: 'location', as: { location: nested(signUp) } },
    ['…, field location: the record SignUp has no type, so it cannot be used in responses'],
  ],
  [
    'an enumeration that lacks a value',
    { type: 'Tournament', fields: 'level', as: { level: enumText({ WORLD: 'w' }) } },
    ['…, field level: the enum does not contain WORLD'],
  ],
])('a table with %s is checked at startup', ([, rule, problems]) => expect(problemsOf(rule)).toEqual(problems));

test('a table with an invalid fragment name is rejected at startup', () =>
  expect(problemsOf({ type: 'Tournament', fields: 'title' }, 'a b')).toEqual([
    'record a b: the name is not a valid GraphQL fragment name',
  ]));
