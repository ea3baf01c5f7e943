import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  coerceInputValue,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
  typeFromAST,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { entriesOf } from '../../compat/engine/index.js';
import { legacyRoutes } from '../../compat/index.js';
import { groups } from '../../compat/reference/groups.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { referenceOf } from '../../src/pages/reference.js';

const schema = graphOfModules();
const reference = referenceOf(schema);
const operations = reference.groups.flatMap((group) => group.operations);
const plain = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

/** What of all operations is not as it should be, each behind the operation's name. */
const strays = <T>(
  of: (operation: (typeof operations)[number]) => readonly T[],
  isRight: (each: T) => boolean,
  name: (each: T) => string,
) =>
  operations.flatMap((operation) => of(operation).flatMap((each) => (isRight(each) ? [] : [`${operation.name}: ${name(each)}`])));

test('each documented operation stands in one group', () => {
  const documented = readFileSync(join(import.meta.dirname, 'operations.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => plain(line.split(' ')[1] ?? ''));
  const holding = (path: string) => groups.filter(({ holds }) => holds.test(path)).length;
  const paths = entriesOf(legacyRoutes).map(({ path }) => path);
  expect(paths.filter((path) => holding(path) !== 1)).toEqual([]);
  const shown = new Set(operations.map(({ path }) => plain(path)));
  expect(documented.filter((path) => !shown.has(path))).toEqual([]);
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    entriesOf(legacyRoutes)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  );
});

test('no two operations have one name', () => {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
});

test('every operation says what it does and who may call it', () => {
  expect(operations.filter(({ summary, callers }) => !/^[A-Z].*\.$/s.test(summary) || !callers)).toEqual([]);
});

test('every parameter and every field says what it means', () => {
  const hasMeaning = ({ meaning }: { meaning: string }) => meaning !== '';
  expect(
    strays(
      ({ parameters }) => parameters,
      hasMeaning,
      ({ name }) => name,
    ),
  ).toEqual([]);
  expect(
    strays(
      ({ request }) => request?.fields ?? [],
      hasMeaning,
      ({ path }) => path,
    ),
  ).toEqual([]);
  expect(
    strays(
      ({ answers }) => answers.flatMap(({ fields }) => fields),
      hasMeaning,
      ({ path }) => path,
    ),
  ).toEqual([]);
});

/** Whether the graph has what a coordinate names: `Team.seed`, or from an argument on `Query.teams.filter.eventId.eq`. */
function isThere(coordinate: string, graph: GraphQLSchema): boolean {
  const [typeName = '', fieldName = '', argumentName, ...inner] = coordinate.split('.');
  const type = graph.getType(typeName);
  const field = isObjectType(type) || isInputObjectType(type) ? type.getFields()[fieldName] : undefined;
  if (!field || argumentName === undefined) return field !== undefined;
  let input: GraphQLInputType | undefined =
    'args' in field ? field.args.find(({ name }) => name === argumentName)?.type : undefined;
  for (const name of inner) {
    const bare: unknown = input && getNamedType(input);
    input = isInputObjectType(bare) ? bare.getFields()[name]?.type : undefined;
  }
  return input !== undefined;
}

test('every coordinate is there in the graph', () => {
  const is = ({ coordinate }: { coordinate: string | null }) => coordinate === null || isThere(coordinate, schema);
  const name = ({ coordinate }: { coordinate: string | null }) => coordinate ?? '';
  expect(strays(({ parameters }) => parameters, is, name)).toEqual([]);
  expect(strays(({ request }) => request?.fields ?? [], is, name)).toEqual([]);
  expect(strays(({ answers }) => answers.flatMap(({ fields }) => fields), is, name)).toEqual([]);
});

test('nearly every field of an answer has its place in the graph', () => {
  const fields = operations.flatMap(({ answers }) => answers.flatMap((answer) => answer.fields));
  expect(fields.filter(({ coordinate }) => coordinate === null).length).toBeLessThan(fields.length / 50);
});

test('every GraphQL operation is one of the graph, and takes its variables', () => {
  const problemsOf = ({ document, variables }: (typeof operations)[number]['calls'][number]): string[] => {
    const parsed = parse(document);
    const [operation] = parsed.definitions;
    const declared = operation?.kind === Kind.OPERATION_DEFINITION ? (operation.variableDefinitions ?? []) : [];
    const wrong: string[] = validate(schema, parsed).map(({ message }) => message);
    for (const { variable, type, defaultValue } of declared) {
      const name = variable.name.value;
      const input = typeFromAST(schema, type as never) as GraphQLInputType;
      if (variables[name] === undefined && (defaultValue || type.kind !== Kind.NON_NULL_TYPE)) continue;
      coerceInputValue(variables[name], input, (path, _, error) => wrong.push(`${name}.${path.join('.')}: ${error.message}`));
    }
    return wrong;
  };
  expect(
    strays(
      ({ calls }) => calls.flatMap(problemsOf),
      () => false,
      (problem) => problem,
    ),
  ).toEqual([]);
});

test('every operation has an example, in which nothing stands for something else', () => {
  expect(operations.filter(({ examples }) => !examples.length).map(({ name }) => name)).toEqual([]);
  const text = JSON.stringify(operations.map(({ examples, calls }) => [examples, calls.map(({ variables }) => variables)]));
  expect(text.match(/"<\w+>"|\$(?:\d|user|admin)\b|golden-/g) ?? []).toEqual([]);
});

test('decisions have numbers and titles, and each of them settles something', () => {
  const named = new Map(operations.flatMap(({ decisions }) => decisions.map(({ number, title }) => [number, title])));
  const page = readFileSync('docs/decisions.md', 'utf8');
  const all = [...page.matchAll(/^### Decision (\S+)$/gm)].map(([, number = '']) => number);
  expect(all.filter((number) => !named.get(number))).toEqual([]);
});
