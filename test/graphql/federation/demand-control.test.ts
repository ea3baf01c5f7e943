import { readFileSync } from 'node:fs';
import {
  buildASTSchema,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { examples } from '../../../src/graphql/examples/index.js';
import { maxComplexity } from '../../../src/graphql/limits/complexity.js';
import { defaultFirst } from '../../../src/kernel/read/paging/page-args.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { nested } from './nested-operations.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const schema = buildASTSchema(parse(readFileSync('schema/supergraph.graphql', 'utf8')), { assumeValid: true });
const [costDirective, listSizeDirective] = ['cost', 'listSize'].map((name) => schema.getDirective(name));

/** Returns the cost of an operation according to IBM's cost specification, which routers implement. Uses only `@cost` and `@listSize`. */
function costByDirectives(query: string, variables: Record<string, unknown>): number {
  const document = parse(query);
  const valuesOf = (directive: typeof costDirective, { astNode }: GraphQLField<unknown, unknown>) =>
    directive && astNode ? getDirectiveValues(directive, astNode) : undefined;
  const applies = (condition: string | undefined, type: GraphQLObjectType): boolean => {
    const conditionType = condition === undefined ? type : schema.getType(condition);
    return conditionType === type || (isAbstractType(conditionType) && schema.isSubType(conditionType, type));
  };
  const costOfInput = (value: unknown, type: GraphQLInputType): number => {
    const nullable = getNullableType(type);
    if (isListType(nullable)) return [value].flat().reduce<number>((sum, item) => sum + costOfInput(item, nullable.ofType), 0);
    if (!isInputObjectType(nullable) || !value) return 0;
    const fields = nullable.getFields();
    return Object.entries(value).reduce((sum, [key, inner]) => sum + (fields[key] ? costOfInput(inner, fields[key].type) : 0), 1);
  };

  function costOfField(node: FieldNode, type: GraphQLObjectType, sizes: ReadonlyMap<string, number>): number {
    const field = type.getFields()[node.name.value];
    if (!field) return 0;
    const args = getArgumentValues(field, node, variables);
    const list = valuesOf(listSizeDirective, field);
    const named = getNamedType(field.type);
    const slices = ((list?.slicingArguments ?? []) as string[]).flatMap((name) => (args[name] as number | null) ?? []);
    const size = slices.length ? Math.max(...slices) : ((list?.assumedSize as number) ?? defaultFirst);
    const innerSizes = new Map(((list?.sizedFields ?? []) as string[]).map((name) => [name, size]));
    const count = isListType(getNullableType(field.type)) ? (sizes.get(field.name) ?? size) : 1;
    const weight = (valuesOf(costDirective, field)?.weight as number | undefined) ?? (isLeafType(named) ? 0 : 1);
    const selection = node.selectionSet ? costOfSelection(node.selectionSet, named, innerSizes) : 0;
    return count * (weight + selection) + field.args.reduce((sum, arg) => sum + costOfInput(args[arg.name], arg.type), 0);
  }

  function costOfObject(set: SelectionSetNode, type: GraphQLObjectType, sizes: ReadonlyMap<string, number>): number {
    return set.selections.reduce((sum, node) => {
      if (node.kind === Kind.FIELD) return sum + costOfField(node, type, sizes);
      const fragment =
        node.kind === Kind.INLINE_FRAGMENT
          ? node
          : document.definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === node.name.value);
      if (!fragment || !('selectionSet' in fragment)) return sum;
      const condition = 'typeCondition' in fragment ? fragment.typeCondition?.name.value : undefined;
      return applies(condition, type) ? sum + costOfObject(fragment.selectionSet, type, sizes) : sum;
    }, 0);
  }

  function costOfSelection(set: SelectionSetNode, type: GraphQLNamedType, sizes: ReadonlyMap<string, number>): number {
    if (isObjectType(type)) return costOfObject(set, type, sizes);
    return isAbstractType(type) ? Math.max(...schema.getPossibleTypes(type).map((each) => costOfObject(set, each, sizes))) : 0;
  }

  const [operation] = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const root = operation && schema.getRootType(operation.operation);
  return operation && root ? costOfObject(operation.selectionSet, root, new Map()) : 0;
}

/**
 * Matches operations that select `nodes`. The service computes the cost of `nodes` from the number of IDs. Routers do not know the number,
 * and assume the maximum.
 */
const hasListOfIds = /\bnodes\(ids/;

const additionalOperations = [
  {
    title: 'lists without arguments',
    query: '{ tournaments { nodes { sanctions { body } approvals { status } viewerTeams { id } } } }',
  },
  {
    title: 'page info and typenames',
    query: '{ __typename teams(last: 30) { __typename pageInfo { endCursor } edges { cursor node { id __typename } } } }',
  },
  {
    title: 'a fragment',
    query:
      '{ teams(first: 3) { ...T totalCount } } fragment T on TeamConnection { nodes { ...U } } fragment U on Team { id playerOne { lastName } }',
  },
  {
    title: 'an input',
    query: 'mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id location { city } } }',
    variables: { input: { id: 'x', location: { city: 'Austin' }, sanctions: [{ body: 'PPA' }, { body: 'USAP' }] } },
  },
  { title: 'several mutations', query: 'mutation { a: deleteTeam(id: "x") { id } b: deleteTeamsOfEvent(eventId: "x") { id } }' },
];

test.for([...examples, ...nested, ...additionalOperations])(
  'the cost of an operation equals the cost that routers compute: $title',
  async ({ query, variables = {} }) => {
    const { body } = await app.rest('POST', '/graphql', {}, { query, variables });
    const routerCost = costByDirectives(query, variables);
    const cost = hasListOfIds.test(query) ? expect.toSatisfy((own: number) => own <= routerCost) : routerCost;
    expect(body.extensions).toEqual({ cost: { cost, limit: maxComplexity } });
    expect(body.errors?.filter(({ path }: { path?: unknown }) => !path) ?? []).toEqual([]);
    expect(routerCost).toBeGreaterThan(0);
  },
);

const federationPage = readFileSync('docs/federation.md', 'utf8');

test('the documented configuration of Apollo Router has the same cost limit and list size', () => {
  const [, listSize, max] = federationPage.match(/static_estimated: \{ list_size: (\d+), max: (\d+) \}/) ?? [];
  expect({ listSize: Number(listSize), max: Number(max) }).toEqual({ listSize: defaultFirst, max: maxComplexity });
});

test('the documented configuration of Hive Router has the same cost limit and list size', () => {
  const [, max, listSize] =
    federationPage.match(/operation_cost: \{ max: (\d+),[^}]*\}[^}]*default_list_size: \{ all: (\d+) \}/) ?? [];
  expect({ listSize: Number(listSize), max: Number(max) }).toEqual({ listSize: defaultFirst, max: maxComplexity });
});
