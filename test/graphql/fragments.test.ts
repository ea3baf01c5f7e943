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
import { usesOf } from '../../src/graphql/coercion/argument-values.js';
import { contextOf } from '../../src/graphql/context.js';
import { execute } from '../../src/graphql/execute.js';
import { ownershipOf } from '../../src/graphql/federation/ownership.js';
import { subgraphOf } from '../../src/graphql/federation/subgraph.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { costRefusal } from '../../src/graphql/limits/complexity.js';
import { limitErrors, maxSelections } from '../../src/graphql/limits/request-limits.js';
import { anonymousCaller } from '../../src/kernel/declare/policy/caller.js';
import { modules } from '../../src/modules/index.js';
import { routerHeaders, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ SUBGRAPHS: 'leagues' });
  await app.graphql('mutation { a: createLeague(input: { id: "one" }) { id } b: createLeague(input: { id: "two" }) { id } }');
});
afterAll(() => app.close());

const graph = graphOfModules();
const subgraph = subgraphOf(graph, ownershipOf(modules), 'leagues');

/**
 * Parses a document and counts its selection sets and the reads of their selections. `takeReads` returns the number of reads and resets the
 * number.
 */
function countingDocument(text: string): { document: DocumentNode; sets: number; takeReads(): number } {
  const document = parse(text);
  let reads = 0;
  let sets = 0;
  visit(document, {
    SelectionSet(set) {
      const { selections } = set;
      sets += 1;
      Object.defineProperty(set, 'selections', {
        enumerable: true,
        get() {
          reads += 1;
          return selections;
        },
      });
    },
  });
  return {
    document,
    sets,
    takeReads() {
      const count = reads;
      reads = 0;
      return count;
    },
  };
}

/** Counts the selections of a document, following every fragment spread without memoization. Stops above twice the limit. */
function countExpandedSelections(document: DocumentNode): number {
  const most = 2 * maxSelections;
  const sets = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node.selectionSet]] : [],
    ),
  );
  let count = 0;
  const follow = (set: SelectionSetNode | undefined): void => {
    for (const node of set?.selections ?? []) {
      count += 1;
      if (count > most) return;
      follow(node.kind === Kind.FRAGMENT_SPREAD ? sets.get(node.name.value) : node.selectionSet);
    }
  };
  follow(getOperationAST(document)?.selectionSet);
  return count;
}

const names = ['A', 'B', 'C', 'D', 'E'];

/**
 * Returns a fast-check arbitrary that generates fragments. The fragments spread each other and themselves: in chains, in cycles, in nested
 * fields and repeatedly.
 */
const fragments = (type: string, leaf: string, nest: (inner: string) => string) =>
  fc
    .array(
      fc.array(
        fc.record({
          to: fc.integer({ min: 0, max: names.length }),
          times: fc.constantFrom(1, 2, 5, 30),
          form: fc.constantFrom('spread', 'inline', 'nested'),
        }),
        { maxLength: 4 },
      ),
      { minLength: names.length, maxLength: names.length },
    )
    .chain((bodies) =>
      // Without cycles, some documents pass the limits and reach the later stages.
      fc.boolean().map((hasCycles) =>
        names
          .map((name, index) => {
            const inner = (bodies[index] ?? []).flatMap(({ to, times, form }) => {
              const other = names[hasCycles ? to : index + 1 + to];
              const spread = other ? `...${other}` : leaf;
              const selection =
                form === 'inline' ? `... on ${type}{${spread}}` : form === 'nested' && other ? nest(spread) : spread;
              return Array(times).fill(selection);
            });
            return `fragment ${name} on ${type}{${leaf} ${inner.join(' ')}}`;
          })
          .join(' '),
      ),
    );

const fragmentsOfLeague = fragments('League', 'id', (inner) => `club{leagues{nodes{${inner}}}}`);
const allSpreads = names.map((name) => `...${name}`).join(' ');

const positions: [string, GraphQLSchema, fc.Arbitrary<string>][] = [
  ['at the root', graph, fragments('Query', '__typename', (inner) => `...{${inner}}`).map((text) => `{${allSpreads}} ${text}`)],
  ['in a list', graph, fragmentsOfLeague.map((text) => `{leagues{nodes{${allSpreads}}}} ${text}`)],
  ['in a list of a subgraph', subgraph, fragmentsOfLeague.map((text) => `{leagues{nodes{${allSpreads}}}} ${text}`)],
  [
    'in entities',
    subgraph,
    fragmentsOfLeague.map((text) => `{_entities(representations:[{__typename:"League",id:"one"}]){${allSpreads}}} ${text}`),
  ],
];

describe.each(positions)('fragments %s', (_, schema, texts) => {
  test('take a bounded number of reads in every stage, and a bounded number of selections when expanded', async () => {
    const outcomes = new Set<'passed' | 'rejected'>();
    const run = async (text: string) => {
      const { document, sets, takeReads } = countingDocument(text);
      const errors = limitErrors(schema, document);
      // Each limit walks a rejected document a few times. A document that passes causes at most `maxSelections` more reads.
      expect(takeReads()).toBeLessThan(errors.length ? 30 * sets : 30 * sets + maxSelections);
      outcomes.add(errors.length ? 'rejected' : 'passed');
      if (errors.length) return;
      expect(countExpandedSelections(document)).toBeLessThanOrEqual(maxSelections);
      takeReads();
      const operation = getOperationAST(document);
      const caller = { ...anonymousCaller, platform: { id: 'test-platform', name: 'Test' } };
      const stages: [string, () => unknown][] = [
        ['validation', () => validate(schema, document)],
        ['cost', () => costRefusal(schema, document, undefined, {})],
        ['variables', () => operation && usesOf(schema, document, operation)],
        ['interpreted execution', () => execute(schema, document, undefined, {}, contextOf(app.resources, caller, 'read'))],
        ['compiled execution', () => execute(schema, document, undefined, {}, contextOf(app.resources, caller, 'read'))],
        ['rejected caller', () => execute(schema, document, undefined, {}, contextOf(app.resources, anonymousCaller, 'read'))],
      ];
      for (const [name, walk] of stages) {
        const result = await walk();
        expect(takeReads(), `reads of ${name}`).toBeLessThan(20 * maxSelections);
        if (name === 'cost' && result) return;
      }
    };
    await fc.assert(fc.asyncProperty(texts, run), { numRuns: 25, seed: 7 });
    // The random documents cover both outcomes.
    expect(outcomes).toEqual(new Set(['passed', 'rejected']));
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
const cycle = names
  .map(
    (name, index) =>
      `fragment ${name} on Query{${Array(30)
        .fill(`...${names[(index + 1) % 5]}`)
        .join(' ')}}`,
  )
  .join(' ');
const tooManySelections = 'the document has too many selections after its fragments are expanded: expected at most 5000';

test.each([
  ['a chain of a thousand bytes', `{...A} ${chain('Query', '__typename')}`, tooManySelections],
  [
    'a chain in entities',
    `{_entities(representations:[{__typename:"League",id:"one"}]){...A}} ${chain('League', 'id')}`,
    tooManySelections,
  ],
  ['a cycle', `{...A} ${cycle}`, 'Cannot spread fragment "A" within itself via "B", "C", "D", "E".'],
  [
    'one field repeated many times',
    `{${'leagues{nodes{id}}'.repeat(700)}}`,
    'the document has too many pairs of fields with the same response key in the same selection: expected at most 50000',
  ],
])('both servers reject fragments that expand too far: %s', async (_, query, message) => {
  const post = async (path: string) => {
    const response = await fetch(app.origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...routerHeaders },
      body: JSON.stringify({ query }),
    });
    const { errors } = await response.json();
    return { status: response.status, message: errors[0].message, extensions: errors[0].extensions };
  };
  const rejected = { status: 400, message, extensions: { code: 'BAD_INPUT' } };
  expect({ graph: await post('/graphql'), subgraph: await post('/subgraphs/leagues') }).toEqual({
    graph: rejected,
    subgraph: rejected,
  });
});

test('fragments on edges and on page info select the same as plain fields', async () => {
  const list = (edges: string, page: string, fragments = '') =>
    app.graphql(`{ leagues(orderBy: [{ field: ID }]) { edges { ${edges} } pageInfo { ${page} } } } ${fragments}`);
  const edge = 'cursor node { id slug hasDaylightSaving }';
  const page = 'startCursor endCursor';
  const plain = await list(edge, page);
  expect(plain.errors).toBeUndefined();
  expect({
    named: await list('...Edge', '...Page', `fragment Edge on LeagueEdge { ${edge} } fragment Page on PageInfo { ${page} }`),
    inline: await list(`... on LeagueEdge { ${edge} }`, `... on PageInfo { ${page} }`),
  }).toEqual({ named: plain, inline: plain });
});
