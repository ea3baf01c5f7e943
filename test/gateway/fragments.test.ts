import fc from 'fast-check';
import {
  type DocumentNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
  type SelectionSetNode,
  validate,
  visit,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { usesOf } from '../../src/gateway/argument-values.js';
import { tooCostly } from '../../src/gateway/complexity.js';
import { contextOf } from '../../src/gateway/context.js';
import { execute } from '../../src/gateway/execute.js';
import { graphOfModules } from '../../src/gateway/graph.js';
import { beyondLimits, maxSelections } from '../../src/gateway/limits.js';
import { ownershipOf } from '../../src/gateway/ownership.js';
import { subgraphOf } from '../../src/gateway/subgraph.js';
import { nobody } from '../../src/kernel/declare/caller.js';
import { modules } from '../../src/modules/index.js';
import { asRouter, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'leagues' });
  await app.graphql('mutation { a: createLeague(input: { id: "one" }) { id } b: createLeague(input: { id: "two" }) { id } }');
});
afterAll(() => app.close());

const graph = graphOfModules();
const subgraph = subgraphOf(graph, ownershipOf(modules), 'leagues');

/** A document whose selections are counted whenever somebody looks at them. */
function watched(text: string): { document: DocumentNode; sets: number; looks(): number } {
  const document = parse(text);
  let looks = 0;
  let sets = 0;
  visit(document, {
    SelectionSet(set) {
      const { selections } = set;
      sets += 1;
      Object.defineProperty(set, 'selections', {
        enumerable: true,
        get() {
          looks += 1;
          return selections;
        },
      });
    },
  });
  return {
    document,
    sets,
    looks() {
      const count = looks;
      looks = 0;
      return count;
    },
  };
}

/** The steps of somebody who follows every spread and remembers none; who takes too many is stopped. */
function stepsOf(document: DocumentNode): number {
  const most = 2 * maxSelections;
  const sets = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet]] : [],
    ),
  );
  let steps = 0;
  const follow = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      steps += 1;
      if (steps > most) return;
      follow(node.kind === Kind.FRAGMENT_SPREAD ? sets.get(node.name.value) : node.selectionSet);
    }
  };
  follow(getOperationAST(document)?.selectionSet);
  return steps;
}

const names = ['A', 'B', 'C', 'D', 'E'];

/** Fragments that spread one another, and themselves, as it comes: in a row, in circles, below fields, many times over. */
const fragments = (type: string, leaf: string, below: (inner: string) => string) =>
  fc
    .array(
      fc.array(
        fc.record({
          to: fc.integer({ min: 0, max: names.length }),
          times: fc.constantFrom(1, 2, 5, 30),
          way: fc.constantFrom('spread', 'inline', 'below'),
        }),
        { maxLength: 4 },
      ),
      { minLength: names.length, maxLength: names.length },
    )
    .chain((bodies) =>
      // Downwards only they end somewhere, and get through to those who come after the limits.
      fc.boolean().map((inCircles) =>
        names
          .map((name, index) => {
            const inner = (bodies[index] ?? []).flatMap(({ to, times, way }) => {
              const other = names[inCircles ? to : index + 1 + to];
              const one = other ? `...${other}` : leaf;
              const selected = way === 'inline' ? `... on ${type}{${one}}` : way === 'below' && other ? below(one) : one;
              return Array(times).fill(selected);
            });
            return `fragment ${name} on ${type}{${leaf} ${inner.join(' ')}}`;
          })
          .join(' '),
      ),
    );

const ofLeague = fragments('League', 'id', (inner) => `club{leagues{nodes{${inner}}}}`);
const all = names.map((name) => `...${name}`).join(' ');

const kinds: [string, GraphQLSchema, fc.Arbitrary<string>][] = [
  ['at the root', graph, fragments('Query', '__typename', (inner) => `...{${inner}}`).map((text) => `{${all}} ${text}`)],
  ['in a list', graph, ofLeague.map((text) => `{leagues{nodes{${all}}}} ${text}`)],
  ['in a list of a subgraph', subgraph, ofLeague.map((text) => `{leagues{nodes{${all}}}} ${text}`)],
  [
    'in entities',
    subgraph,
    ofLeague.map((text) => `{_entities(representations:[{__typename:"League",id:"one"}]){${all}}} ${text}`),
  ],
];

describe.each(kinds)('fragments %s', (_, schema, texts) => {
  test('that keep the limits are walked in bounds by everybody, also by who would follow each spread', async () => {
    const through: boolean[] = [];
    const run = async (text: string) => {
      const { document, sets, looks } = watched(text);
      const refusals = beyondLimits(schema, document);
      // What is refused is walked a few times for each limit; what is not has so many selections.
      expect(looks()).toBeLessThan(refusals.length ? 30 * sets : 30 * sets + maxSelections);
      through.push(refusals.length === 0);
      if (refusals.length) return;
      expect(stepsOf(document)).toBeLessThanOrEqual(maxSelections);
      looks();
      const operation = getOperationAST(document);
      const caller = { ...nobody, platform: { id: 'test-platform', name: 'Test' } };
      const walkers: [string, () => unknown][] = [
        ['validation', () => validate(schema, document)],
        ['cost', () => tooCostly(schema, document, undefined, {})],
        ['variables', () => operation && usesOf(schema, document, operation)],
        ['interpreted', () => execute(schema, document, undefined, {}, contextOf(app.resources, caller, 'read'))],
        ['compiled', () => execute(schema, document, undefined, {}, contextOf(app.resources, caller, 'read'))],
        ['refused', () => execute(schema, document, undefined, {}, contextOf(app.resources, nobody, 'read'))],
      ];
      for (const [name, walk] of walkers) {
        const found = await walk();
        expect([name, looks() < 20 * maxSelections]).toEqual([name, true]);
        if (name === 'cost' && found) return;
      }
    };
    await fc.assert(fc.asyncProperty(texts, run), { numRuns: 25, seed: 7 });
    expect(new Set(through)).toEqual(new Set([true, false]));
  });
});

const chain = (on: string, leaf: string) =>
  names
    .map(
      (name, index) =>
        `fragment ${name} on ${on}{${Array(30)
          .fill(names[index + 1] ? `...${names[index + 1]}` : leaf)
          .join(' ')}}`,
    )
    .join(' ');
const circle = names
  .map(
    (name, index) =>
      `fragment ${name} on Query{${Array(30)
        .fill(`...${names[(index + 1) % 5]}`)
        .join(' ')}}`,
  )
  .join(' ');
const tooLong = 'the document has more than 5000 selections when its fragments are written out: expected at most 5000';

test.each([
  ['a thousand bytes', `{...A} ${chain('Query', '__typename')}`, tooLong],
  ['in entities', `{_entities(representations:[{__typename:"League",id:"one"}]){...A}} ${chain('League', 'id')}`, tooLong],
  ['in circles', `{...A} ${circle}`, 'Cannot spread fragment "A" within itself via "B", "C", "D", "E".'],
  [
    'one field many times',
    `{${'leagues{nodes{id}}'.repeat(700)}}`,
    'the document has more than 50000 pairs of fields with the same key in the same place: expected at most 50000',
  ],
])('what follows fragments for long is refused at once by both servers: %s', async (_, query, message) => {
  const answers = await Promise.all(
    ['/graphql', '/subgraphs/leagues'].map(async (path) => {
      const response = await fetch(app.origin + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...asRouter },
        body: JSON.stringify({ query }),
      });
      const { errors } = await response.json();
      return [response.status, errors[0].message, errors[0].extensions];
    }),
  );
  expect(answers).toEqual(Array(2).fill([400, message, { code: 'BAD_INPUT' }]));
});

test('fragments on edges and on the page count as what stands there itself', async () => {
  const list = (edges: string, page: string, fragments = '') =>
    app.graphql(`{ leagues(orderBy: [{ field: ID }]) { edges { ${edges} } pageInfo { ${page} } } } ${fragments}`);
  const edge = 'cursor node { id slug hasDaylightSaving }';
  const page = 'startCursor endCursor';
  const plain = await list(edge, page);
  expect([
    plain.errors,
    await list('...Edge', '...Page', `fragment Edge on LeagueEdge { ${edge} } fragment Page on PageInfo { ${page} }`),
    await list(`... on LeagueEdge { ${edge} }`, `... on PageInfo { ${page} }`),
  ]).toEqual([undefined, plain, plain]);
});
