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
import { entriesOf } from '../../../compat/engine/index.js';
import { legacyRoutes } from '../../../compat/index.js';
import { generalDecisions } from '../../../compat/reference/decisions.js';
import { groups } from '../../../compat/reference/groups.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { referenceOf } from '../../../src/pages/reference.js';

const schema = graphOfModules();
const reference = referenceOf(schema);
const operations = reference.groups.flatMap((group) => group.operations);
const plain = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');

/** Returns the invalid parts of all operations, each prefixed with the name of its operation. */
const invalidParts = <T>(
  partsOf: (operation: (typeof operations)[number]) => readonly T[],
  isValid: (part: T) => boolean,
  name: (part: T) => string,
) =>
  operations.flatMap((operation) =>
    partsOf(operation).flatMap((part) => (isValid(part) ? [] : [`${operation.name}: ${name(part)}`])),
  );

test('each documented operation is in exactly one group', () => {
  const documented = readFileSync(join(import.meta.dirname, '../operations.txt'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => plain(line.split(' ')[1] ?? ''));
  const groupCount = (path: string) => groups.filter(({ pathPattern }) => pathPattern.test(path)).length;
  const paths = entriesOf(legacyRoutes).map(({ path }) => path);
  expect(paths.filter((path) => groupCount(path) !== 1)).toEqual([]);
  const referencePaths = new Set(operations.map(({ path }) => plain(path)));
  expect(documented.filter((path) => !referencePaths.has(path))).toEqual([]);
  expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    entriesOf(legacyRoutes)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  );
});

test('operation names are unique', () => {
  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
});

test('every operation has a summary and its callers', () => {
  expect(operations.filter(({ summary, callers }) => !/^[A-Z].*\.$/s.test(summary) || !callers)).toEqual([]);
});

test('every parameter and every field has a description', () => {
  const hasMeaning = ({ meaning }: { meaning: string }) => meaning !== '';
  expect(
    invalidParts(
      ({ parameters }) => parameters,
      hasMeaning,
      ({ name }) => name,
    ),
  ).toEqual([]);
  expect(
    invalidParts(
      ({ request }) => request?.fields ?? [],
      hasMeaning,
      ({ path }) => path,
    ),
  ).toEqual([]);
  expect(
    invalidParts(
      ({ responses }) => responses.flatMap(({ fields }) => fields),
      hasMeaning,
      ({ path }) => path,
    ),
  ).toEqual([]);
});

/** Whether the schema has a coordinate: `Team.seed`, or an input field such as `Query.teams.filter.eventId.eq`. */
function existsInSchema(coordinate: string, graph: GraphQLSchema): boolean {
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

test('every coordinate exists in the GraphQL schema', () => {
  const exists = ({ coordinate }: { coordinate: string | null }) => coordinate === null || existsInSchema(coordinate, schema);
  const name = ({ coordinate }: { coordinate: string | null }) => coordinate ?? '';
  expect(invalidParts(({ parameters }) => parameters, exists, name)).toEqual([]);
  expect(invalidParts(({ request }) => request?.fields ?? [], exists, name)).toEqual([]);
  expect(invalidParts(({ responses }) => responses.flatMap(({ fields }) => fields), exists, name)).toEqual([]);
});

test('at most two percent of the response fields have no schema coordinate', () => {
  const fields = operations.flatMap(({ responses }) => responses.flatMap((answer) => answer.fields));
  expect(fields.filter(({ coordinate }) => coordinate === null).length).toBeLessThan(fields.length / 50);
});

test('every GraphQL operation of the reference is valid with its variables', () => {
  const problemsOf = ({ document, variables }: (typeof operations)[number]['calls'][number]): string[] => {
    const parsed = parse(document);
    const [operation] = parsed.definitions;
    const declared = operation?.kind === Kind.OPERATION_DEFINITION ? (operation.variableDefinitions ?? []) : [];
    const problems: string[] = validate(schema, parsed).map(({ message }) => message);
    for (const { variable, type, defaultValue } of declared) {
      const name = variable.name.value;
      const input = typeFromAST(schema, type as never) as GraphQLInputType;
      if (variables[name] === undefined && (defaultValue || type.kind !== Kind.NON_NULL_TYPE)) continue;
      coerceInputValue(variables[name], input, (path, _, error) => problems.push(`${name}.${path.join('.')}: ${error.message}`));
    }
    return problems;
  };
  expect(
    invalidParts(
      ({ calls }) => calls.flatMap(problemsOf),
      () => false,
      (problem) => problem,
    ),
  ).toEqual([]);
});

test('every operation has an example without placeholders', () => {
  expect(operations.filter(({ examples }) => !examples.length).map(({ name }) => name)).toEqual([]);
  const text = JSON.stringify(operations.map(({ examples, calls }) => [examples, calls.map(({ variables }) => variables)]));
  expect(text.match(/"<\w+>"|\$(?:\d|user|admin)\b|golden-/g) ?? []).toEqual([]);
});

test('every decision in docs/decisions.md is shown with an operation and has a title, unless it concerns no operation', () => {
  const shownDecisions = new Map(operations.flatMap(({ decisions }) => decisions.map(({ number, title }) => [number, title])));
  const page = readFileSync('docs/decisions.md', 'utf8');
  const all = [...page.matchAll(/^### Decision (\S+)$/gm)].map(([, number = '']) => number);
  expect(all).toContain('39');
  expect({
    withoutTitle: [...shownDecisions].filter(([, title]) => !title).map(([number]) => number),
    notShown: all.filter((number) => !shownDecisions.has(number)),
  }).toEqual({ withoutTitle: [], notShown: [...generalDecisions] });
});

/** One operation that each decision affects, keyed by the number of the decision. */
const operationByDecision: Readonly<Record<string, string>> = {
  39: 'GET /v1/pub/validate_email/{random_string}',
  59: 'POST /v1/tournament_attendee_event_records/upsert',
  64: 'POST /v1/pb_invoice_items/upsert',
  65: 'PUT /v1/admin/system-approvals/{item_type}/{item_uuid}/unapprove',
  66: 'PUT /v1/admin/sponsors/{uuid}',
};

test.each(Object.entries(operationByDecision))('decision %s is shown with %s', (number, concernedOperation) => {
  const operation = operations.find(({ method, path }) => `${method} ${path}` === concernedOperation);
  expect(operation?.decisions.map((decision) => decision.number)).toContain(number);
});

const operationsWith = (decision: string) =>
  operations.filter(({ decisions }) => decisions.some(({ number }) => number === decision)).map(({ name }) => name);

test('operations with the parameter page_size show decision 52 and state the limit', () => {
  const paged = operations.flatMap(({ name, parameters }) =>
    parameters
      .filter((parameter) => parameter.name === 'page_size')
      .map(({ schema: { maximum }, meaning }) => ({ name, maximum, meaning })),
  );
  expect(operationsWith('52')).toEqual(paged.map(({ name }) => name));
  expect(paged.filter(({ maximum, meaning }) => maximum === 1_000 && meaning.includes('1000')).map(({ name }) => name)).toEqual(
    paged.map(({ name }) => name).filter((name) => name !== 'getDataNewsOutlet'),
  );
});

test('operations with a timestamp in the request show decision 55', () => {
  const names = operationsWith('55');
  expect(names).toEqual(
    expect.arrayContaining([
      'getDataGameScheduler',
      'postTournamentsTourneyFlatData',
      'postPubRegisterUsers',
      'postUsersUuidAddSponsorSponsorUuid',
      'postSsoPlatformToken',
    ]),
  );
  expect(names).not.toContain('getDataTeams');
});
