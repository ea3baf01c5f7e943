import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { transformSupergraphToPublicSchema } from '@theguild/federation-composition';
import {
  buildASTSchema,
  type GraphQLField,
  type GraphQLSchema,
  getDirectiveValues,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  validate,
} from 'graphql';
import { expect, test } from 'vitest';
import { supergraphOf } from '../../src/commands/emit.js';
import { schemaOptions } from '../../src/commands/schema-options.js';
import { audiences } from '../../src/gateway/audiences.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { policiesOf } from '../../src/kernel/declare/policy.js';
import { built } from '../support/service.js';

const supergraphs = audiences.map((contract) => supergraphOf({ contract }));
const [visible, partner, internal] = supergraphs.map((sdl) =>
  buildASTSchema(transformSupergraphToPublicSchema(parse(sdl)), { assumeValid: true }),
) as [GraphQLSchema, GraphQLSchema, GraphQLSchema];

type Field = GraphQLField<unknown, unknown>;
const fieldsOf = (schema: GraphQLSchema): Map<string, Field> =>
  new Map(
    Object.values(schema.getTypeMap()).flatMap((type) =>
      (isObjectType(type) || isInterfaceType(type)) && !isIntrospectionType(type)
        ? Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field] as const)
        : [],
    ),
  );

/** The values of a directive in a supergraph, by the fields that have it. */
function told(sdl: string, name: string): Map<string, Record<string, unknown>> {
  const schema = buildASTSchema(parse(sdl), { assumeValid: true });
  const directive = schema.getDirective(name);
  if (!directive) throw new Error(`no @${name}`);
  return new Map(
    [...fieldsOf(schema)].flatMap(([path, { astNode }]) => {
      const values = astNode && getDirectiveValues(directive, astNode);
      return values ? [[path, values] as const] : [];
    }),
  );
}

test('every root field and every guarded field has the tag of the widest audience that may call it, and no other has one', () => {
  const tags = told(supergraphs[2] ?? '', 'tag');
  const guarded = [...fieldsOf(graphOfModules())].filter(([, { extensions }]) => policiesOf(extensions)).map(([path]) => path);
  expect([...tags.keys()].sort()).toEqual(guarded.sort());
  expect(
    ['tournaments', 'countries', 'notificationSettings', 'discountCodes', 'publishableKeys'].map(
      (name) => tags.get(`Query.${name}`)?.name,
    ),
  ).toEqual(['public', 'public', 'public', 'partner', 'partner']);
  expect(
    ['login', 'checkout', 'deleteBiography', 'upsertLeagueListing', 'grantRole', 'createCategory'].map(
      (name) => tags.get(`Mutation.${name}`)?.name,
    ),
  ).toEqual(['public', 'public', 'public', 'partner', 'internal', 'internal']);
  expect(tags.get('Refund.invoice')).toEqual({ name: 'public' });
});

test('a contract has what is tagged for its audience or a wider one, and nothing else', () => {
  const tags = told(supergraphs[2] ?? '', 'tag');
  const audiencesIn = (schema: GraphQLSchema) =>
    new Set([...fieldsOf(schema).keys()].flatMap((path) => tags.get(path)?.name ?? []));
  expect([visible, partner, internal].map((schema) => [...audiencesIn(schema)].sort())).toEqual([
    ['public'],
    ['partner', 'public'],
    ['internal', 'partner', 'public'],
  ]);
  expect(visible.getQueryType()?.getFields()).toHaveProperty('tournaments');
  expect([...fieldsOf(internal).keys()].sort()).toEqual([...fieldsOf(graphOfModules()).keys()].sort());
});

test('an operation for platforms alone is valid for partners, and not for the public', () => {
  const operation = parse('{ discountCodes { nodes { id } } }');
  expect([visible, partner].map((schema) => validate(schema, operation).map(({ message }) => message))).toEqual([
    [expect.stringContaining('Cannot query field "discountCodes" on type "Query".')],
    [],
  ]);
});

test('each contract has all that the one before it has, and more', () => {
  const parts = (schema: GraphQLSchema) => new Set([...Object.keys(schema.getTypeMap()), ...fieldsOf(schema).keys()]);
  const [a, b, c] = [parts(visible), parts(partner), parts(internal)];
  expect([a.isSubsetOf(b), b.isSubsetOf(c), a.size < b.size, b.size < c.size]).toEqual([true, true, true, true]);
});

test('no type is left to which nothing leads', () => {
  const orphans = (schema: GraphQLSchema) => {
    const types = Object.values(schema.getTypeMap());
    const fields = [
      ...fieldsOf(schema).values(),
      ...types.flatMap((type) => (isInputObjectType(type) ? Object.values(type.getFields()) : [])),
    ];
    const used = new Set([
      ...fields.flatMap((field) => [field, ...('args' in field ? field.args : [])]).map(({ type }) => getNamedType(type).name),
      ...types.flatMap((type) => (isUnionType(type) ? type.getTypes().map(({ name }) => name) : [])),
      ...types.flatMap((type) => (isInterfaceType(type) ? schema.getImplementations(type).objects.map(({ name }) => name) : [])),
    ]);
    const isPlain = (name: string) => /^(Query|Mutation|Subscription|_)/.test(name);
    return types
      .filter((type) => !used.has(type.name) && !isPlain(type.name) && !isSpecifiedScalarType(type))
      .map(({ name }) => name);
  };
  expect([visible, partner, internal].map(orphans)).toEqual([[], [], []]);
  expect([visible, partner].map((schema) => schema.getType('DiscountCodeInput')?.name)).toEqual([undefined, 'DiscountCodeInput']);
});

test('policies are told to routers that ask for them: those declared, and none where everybody may call', () => {
  const policies = told(supergraphOf({ policies: true }), 'policy');
  const declared = [...fieldsOf(graphOfModules())].flatMap(([path, { extensions }]) => {
    const rights = (policiesOf(extensions) ?? []).map((policy) => policy.rights);
    return rights.length && rights.every((each) => each.length) ? [[path, new Set(rights.flat())] as const] : [];
  });
  expect(declared.length).toBeGreaterThan(200);
  const known = [...policies].map(([path, values]) => [path, new Set((values.policies as string[][]).flat())] as const);
  expect(new Map(known)).toEqual(new Map(declared));
  expect(
    ['Query.countries', 'Mutation.login', 'Mutation.deleteBiography', 'Mutation.grantRole'].map(
      (path) => policies.get(path)?.policies,
    ),
  ).toEqual([
    undefined,
    [['platform'], ['publishable']],
    [['platform'], ['role:ADMIN'], ['super-admin'], ['role:USERS_PROFILES_EDITOR'], ['user']],
    [['super-admin']],
  ]);
  // What the code emits without them, as another test sees to.
  expect(readFileSync('schema/supergraph.graphql', 'utf8')).not.toContain('@policy');
  expect(told(supergraphOf({ contract: 'public', policies: true }), 'policy').get('Mutation.login')).toBeDefined();
});

test('each is printed by the command line, and what it does not know is refused', { timeout: 120_000 }, async () => {
  await built();
  const run = (...args: string[]) => {
    const command = ['dist/src/commands/schema.js', ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 1e8 });
    return { status, stdout, told: stderr.split('\n')[0] };
  };
  const { stdout, ...rest } = run('--contract', 'public');
  expect([stdout === supergraphs[0], rest]).toEqual([true, { status: 0, told: '' }]);
  expect(run('--contract', 'everybody')).toEqual({ status: 1, stdout: '', told: 'There is no contract "everybody".' });
});

test.each([
  [['--contracts', 'public'], "Unknown option '--contracts'"],
  [['--contract'], "Option '--contract <value>' argument missing"],
  [['--policies', '--accept-breaking'], '--accept-breaking is for what is written, and this prints.'],
  [['public'], "Unexpected argument 'public'"],
])('the options %j are refused', (args, told) => {
  expect(() => schemaOptions(args)).toThrow(told);
});
