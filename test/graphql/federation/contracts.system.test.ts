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
import { supergraphOf } from '../../../src/commands/emit.js';
import { schemaOptions } from '../../../src/commands/schema.js';
import { audiences } from '../../../src/graphql/federation/router-directives.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { isLegacy } from '../../../src/kernel/declare/fields/legacy-fields.js';
import { policiesOf } from '../../../src/kernel/declare/policy/policy.js';
import { buildService } from '../../support/servers/service-process.js';

const supergraphs = audiences.map((contract) => supergraphOf({ contract: { audience: contract } }));
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

/** Returns the arguments of a directive in a supergraph, keyed by field path. */
function directiveValues(sdl: string, name: string): Map<string, Record<string, unknown>> {
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

const tags = directiveValues(supergraphs[2] ?? '', 'tag');

test('only root fields, guarded fields and `legacy` have a tag', () => {
  const fieldsToTag = [...fieldsOf(graphOfModules())].filter(([, field]) => policiesOf(field.extensions) || isLegacy(field));
  expect([...tags.keys()].sort()).toEqual(fieldsToTag.map(([path]) => path).sort());
});

test.each([
  ['Query.tournaments', 'public'],
  ['Query.countries', 'public'],
  ['Query.notificationSettings', 'public'],
  ['Query.discountCodes', 'partner'],
  ['Query.publishableKeys', 'partner'],
  ['Mutation.login', 'public'],
  ['Mutation.checkout', 'public'],
  ['Mutation.deleteBiography', 'public'],
  ['Mutation.upsertLeagueListing', 'partner'],
  ['Mutation.grantRole', 'internal'],
  ['Mutation.createCategory', 'internal'],
  ['Refund.invoice', 'public'],
])('the tag of %s is the widest audience that may use it: %s', (path, audience) => {
  expect(tags.get(path)).toEqual({ name: audience });
});

test('a contract has the fields that are tagged for its audience or a wider one, and no others', () => {
  const audiencesIn = (schema: GraphQLSchema) =>
    [...new Set([...fieldsOf(schema).keys()].flatMap((path) => tags.get(path)?.name ?? []))]
      .filter((name) => name !== 'legacy')
      .sort();
  expect({
    visible: audiencesIn(visible),
    partner: audiencesIn(partner),
    internal: audiencesIn(internal),
  }).toEqual({
    visible: ['public'],
    partner: ['partner', 'public'],
    internal: ['internal', 'partner', 'public'],
  });
  expect(visible.getQueryType()?.getFields()).toHaveProperty('tournaments');
  expect([...fieldsOf(internal).keys()].sort()).toEqual([...fieldsOf(graphOfModules()).keys()].sort());
});

test('an operation reserved for platforms is valid for partners and invalid for the public', () => {
  const operation = parse('{ discountCodes { nodes { id } } }');
  const errorsIn = (schema: GraphQLSchema) => validate(schema, operation).map(({ message }) => message);
  expect({ visible: errorsIn(visible), partner: errorsIn(partner) }).toEqual({
    visible: [expect.stringContaining('Cannot query field "discountCodes" on type "Query".')],
    partner: [],
  });
});

test.each([
  ['partner', 'public', partner, visible],
  ['internal', 'partner', internal, partner],
])('the contract %s is a proper superset of the contract %s', (_, __, larger, smaller) => {
  const elementsOf = (schema: GraphQLSchema) => new Set([...Object.keys(schema.getTypeMap()), ...fieldsOf(schema).keys()]);
  expect([...elementsOf(smaller).difference(elementsOf(larger))]).toEqual([]);
  expect(elementsOf(smaller).size).toBeLessThan(elementsOf(larger).size);
});

test('no contract has a type that nothing refers to', () => {
  const orphanTypes = (schema: GraphQLSchema) => {
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
    const isRoot = (name: string) => /^(Query|Mutation|Subscription|_)/.test(name);
    return types
      .filter((type) => !used.has(type.name) && !isRoot(type.name) && !isSpecifiedScalarType(type))
      .map(({ name }) => name);
  };
  expect({
    visible: orphanTypes(visible),
    partner: orphanTypes(partner),
    internal: orphanTypes(internal),
  }).toEqual({ visible: [], partner: [], internal: [] });
});

test('the input type of a mutation for partners is missing from the public contract', () => {
  expect({
    visible: visible.getType('DiscountCodeInput')?.name,
    partner: partner.getType('DiscountCodeInput')?.name,
  }).toEqual({ visible: undefined, partner: 'DiscountCodeInput' });
});

test('a supergraph with policies has the policies that fields declare, and none on fields that are open to everybody', () => {
  const policies = directiveValues(supergraphOf({ policies: true }), 'policy');
  const declared = [...fieldsOf(graphOfModules())].flatMap(([path, { extensions }]) => {
    const rights = (policiesOf(extensions) ?? []).map((policy) => policy.policyNames);
    return rights.length && rights.every((each) => each.length) ? [[path, new Set(rights.flat())] as const] : [];
  });
  expect(declared.length).toBeGreaterThan(200);
  const printed = [...policies].map(([path, values]) => [path, new Set((values.policies as string[][]).flat())] as const);
  expect(new Map(printed)).toEqual(new Map(declared));
  expect({
    countries: policies.get('Query.countries')?.policies,
    login: policies.get('Mutation.login')?.policies,
    deleteBiography: policies.get('Mutation.deleteBiography')?.policies,
    grantRole: policies.get('Mutation.grantRole')?.policies,
  }).toEqual({
    countries: undefined,
    login: [['platform'], ['publishable']],
    deleteBiography: [['platform'], ['role:ADMIN'], ['super-admin'], ['role:USERS_PROFILES_EDITOR'], ['user']],
    grantRole: [['super-admin']],
  });
});

test('only a supergraph that is requested with policies has them', () => {
  // test/schema.test.ts verifies that this file contains the supergraph that is emitted without options.
  expect(readFileSync('schema/supergraph.graphql', 'utf8')).not.toContain('@policy');
  expect(
    directiveValues(supergraphOf({ contract: { audience: 'public' }, policies: true }), 'policy').get('Mutation.login'),
  ).toBeDefined();
});

test('the command line prints a contract and rejects an unknown one', { timeout: 120_000 }, async () => {
  await buildService();
  const run = (...args: string[]) => {
    const command = ['dist/development/run.js', 'schema', ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 1e8 });
    return { status, stdout, message: stderr.split('\n')[0] };
  };
  const { stdout, ...rest } = run('--contract', 'public');
  // Compared as a boolean: a diff of two supergraphs would be too long to read.
  expect({ hasPrintedContract: stdout === supergraphs[0], ...rest }).toEqual({
    hasPrintedContract: true,
    status: 0,
    message: '',
  });
  expect(run('--contract', 'everybody')).toEqual({
    status: 2,
    stdout: '',
    message: '--contract: expected one of public, partner, internal, but got "everybody".',
  });
});

test.each([
  [['--contracts', 'public'], "Unknown option '--contracts'"],
  [['--contract'], "Option '--contract <value>' argument missing"],
  [['--policies', '--accept-breaking'], '--accept-breaking cannot be combined with --contract, --hide-legacy or --policies.'],
  [['public'], "Unexpected argument 'public'"],
])('rejects the options %j', (args, message) => {
  expect(() => schemaOptions(args)).toThrow(message);
});
