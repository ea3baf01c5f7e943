import { readFileSync } from 'node:fs';
import { composeServices } from '@apollo/composition';
import { CriticalityLevel, diff } from '@graphql-inspector/core';
import { buildSchema, isInputObjectType, isObjectType, parse } from 'graphql';
import { expect, test } from 'vitest';
import { emit, subgraphUrl } from '../src/commands/emit.js';
import { modules } from '../src/modules/index.js';

const files = emit();
const committed = (name: string) => readFileSync(`schema/${name}`, 'utf8');
const graph = buildSchema(files.get('schema.graphql') ?? '');

test.for([...files])('schema/%s is what the code emits (npm run schema)', ([name, text]) => {
  expect(committed(name) === text).toBe(true);
});

test('no change breaks clients of the committed schema', async () => {
  const changes = await diff(buildSchema(committed('schema.graphql')), graph);
  const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
  expect(breaking.map(({ message }) => message)).toEqual([]);
});

test("the subgraphs compose with Apollo's composition too", () => {
  const services = modules.map(({ name }) => ({
    name,
    url: subgraphUrl(name),
    typeDefs: parse(files.get(`${name}.graphql`) ?? ''),
  }));
  const { errors, supergraphSdl } = composeServices(services);
  expect([errors, typeof supergraphSdl]).toEqual([undefined, 'string']);
});

test('there is a subgraph for each module of the design', () => {
  expect(modules.map(({ name }) => name).sort()).toEqual([
    'accounts',
    'checkout',
    'engagement',
    'leagues',
    'media',
    'news',
    'officiating',
    'rankings',
    'reference',
    'scheduler',
    'tournaments',
  ]);
});

test('every type and field carries a description', () => {
  const silent = Object.values(graph.getTypeMap()).flatMap((type) => {
    if (type.name.startsWith('__') || ['String', 'Boolean', 'Int', 'Float', 'ID', 'Query', 'Mutation'].includes(type.name))
      return [];
    const fields = isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : [];
    return [
      ...(type.description ? [] : [type.name]),
      ...fields.filter(({ description }) => !description).map(({ name }) => `${type.name}.${name}`),
    ];
  });
  const roots = [graph.getQueryType(), graph.getMutationType()].flatMap((type) => Object.values(type?.getFields() ?? {}));
  expect([...silent, ...roots.filter(({ description }) => !description).map(({ name }) => name)]).toEqual([]);
});
