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
import { maxComplexity } from '../../src/gateway/complexity.js';
import { examples } from '../../src/gateway/examples/index.js';
import { defaultFirst } from '../../src/kernel/read/part.js';
import { startApp, type TestApp } from '../support/app.js';
import { nested } from './nested-operations.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const schema = buildASTSchema(parse(readFileSync('schema/supergraph.graphql', 'utf8')), { assumeValid: true });
const [costDirective, listSizeDirective] = ['cost', 'listSize'].map((name) => schema.getDirective(name));

/** What the cost specification of IBM, which routers follow, makes of an operation from `@cost` and `@listSize` alone. */
function byDirectives(query: string, variables: Record<string, unknown>): number {
  const document = parse(query);
  const told = (directive: typeof costDirective, { astNode }: GraphQLField<unknown, unknown>) =>
    directive && astNode ? getDirectiveValues(directive, astNode) : undefined;
  const applies = (condition: string | undefined, type: GraphQLObjectType): boolean => {
    const wanted = condition === undefined ? type : schema.getType(condition);
    return wanted === type || (isAbstractType(wanted) && schema.isSubType(wanted, type));
  };
  const inputs = (value: unknown, type: GraphQLInputType): number => {
    const bare = getNullableType(type);
    if (isListType(bare)) return [value].flat().reduce<number>((sum, item) => sum + inputs(item, bare.ofType), 0);
    if (!isInputObjectType(bare) || !value) return 0;
    const fields = bare.getFields();
    return Object.entries(value).reduce((sum, [key, inner]) => sum + (fields[key] ? inputs(inner, fields[key].type) : 0), 1);
  };

  function ofField(node: FieldNode, type: GraphQLObjectType, sizes: ReadonlyMap<string, number>): number {
    const field = type.getFields()[node.name.value];
    if (!field) return 0;
    const args = getArgumentValues(field, node, variables);
    const list = told(listSizeDirective, field);
    const named = getNamedType(field.type);
    const given = ((list?.slicingArguments ?? []) as string[]).flatMap((name) => (args[name] as number | null) ?? []);
    const size = given.length ? Math.max(...given) : ((list?.assumedSize as number) ?? defaultFirst);
    const inner = new Map(((list?.sizedFields ?? []) as string[]).map((name) => [name, size]));
    const count = isListType(getNullableType(field.type)) ? (sizes.get(field.name) ?? size) : 1;
    const weight = (told(costDirective, field)?.weight as number | undefined) ?? (isLeafType(named) ? 0 : 1);
    const below = node.selectionSet ? ofSet(node.selectionSet, named, inner) : 0;
    return count * (weight + below) + field.args.reduce((sum, arg) => sum + inputs(args[arg.name], arg.type), 0);
  }

  function ofObject(set: SelectionSetNode, type: GraphQLObjectType, sizes: ReadonlyMap<string, number>): number {
    return set.selections.reduce((sum, node) => {
      if (node.kind === Kind.FIELD) return sum + ofField(node, type, sizes);
      const fragment =
        node.kind === Kind.INLINE_FRAGMENT
          ? node
          : document.definitions.find((each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === node.name.value);
      if (!fragment || !('selectionSet' in fragment)) return sum;
      const condition = 'typeCondition' in fragment ? fragment.typeCondition?.name.value : undefined;
      return applies(condition, type) ? sum + ofObject(fragment.selectionSet, type, sizes) : sum;
    }, 0);
  }

  function ofSet(set: SelectionSetNode, type: GraphQLNamedType, sizes: ReadonlyMap<string, number>): number {
    if (isObjectType(type)) return ofObject(set, type, sizes);
    return isAbstractType(type) ? Math.max(...schema.getPossibleTypes(type).map((each) => ofObject(set, each, sizes))) : 0;
  }

  const [operation] = document.definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  const root = operation && schema.getRootType(operation.operation);
  return operation && root ? ofObject(operation.selectionSet, root, new Map()) : 0;
}

/** The length of a list of ids, which routers cannot know: for them it is the most that there may be. */
const byArgument = /\bnodes\(ids/;

const more = [
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

test.for([...examples, ...nested, ...more])(
  'an operation costs what routers make of the directives: $title',
  async ({ query, variables = {} }) => {
    const { body } = await app.rest('POST', '/graphql', {}, { query, variables });
    const cost = byDirectives(query, variables);
    expect([body.errors?.filter(({ path }: { path?: unknown }) => !path), body.extensions]).toEqual([
      body.errors && [],
      { cost: { cost: byArgument.test(query) ? expect.toSatisfy((own: number) => own <= cost) : cost, limit: maxComplexity } },
    ]);
    expect(cost).toBeGreaterThan(0);
  },
);

test('the page on federation gives routers the same figures', () => {
  const readme = readFileSync('docs/federation.md', 'utf8');
  expect([
    readme
      .match(/static_estimated: \{ list_size: (\d+), max: (\d+) \}/)
      ?.slice(1)
      .map(Number),
    readme
      .match(/operation_cost: \{ max: (\d+),[^}]*\}[^}]*default_list_size: \{ all: (\d+) \}/)
      ?.slice(1)
      .map(Number),
  ]).toEqual([
    [defaultFirst, maxComplexity],
    [maxComplexity, defaultFirst],
  ]);
});
