import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { emitSchemas } from '../../src/commands/emit.js';
import { cacheShapeOf } from '../../src/commands/sdk/cache-shape.js';
import { type RelayOptions, relayOptions, schemaConfig } from '../../src/sdk/caches.js';
import { importTool, missingTool, toolPath } from '../support/clients/tools.js';
import { requires } from '../support/prerequisites.js';
import { startApp, type TestApp } from '../support/servers/app.js';
import { scratchDirectory } from '../support/servers/service-process.js';

/** A record in the store of Relay. Links to other records are their keys. */
interface StoredRecord {
  readonly endCursor?: string;
  readonly pageInfo?: { readonly __ref: string };
  readonly edges?: { readonly __refs: readonly string[] };
}

/** A query that the compiler of Relay has compiled. */
type Artifact = Readonly<Record<string, unknown>>;

interface Environment {
  getStore(): { getSource(): { get(key: string): StoredRecord | undefined } };
  lookup(fragment: object): { readonly data: unknown };
}

/** The parts of `relay-runtime` that are used here. */
interface RelayRuntime {
  readonly Environment: new (options: RelayOptions & { network: object; store: object }) => Environment;
  readonly Network: {
    create(send: (operation: { readonly text: string | null }, variables: object) => Promise<unknown>): object;
  };
  readonly RecordSource: new () => object;
  readonly Store: new (source: object) => object;
  commitMutation(
    environment: Environment,
    options: {
      mutation: Artifact;
      variables: object;
      onCompleted: (response: unknown) => void;
      onError: (error: Error) => void;
    },
  ): void;
  createOperationDescriptor(query: Artifact, variables: object): { readonly fragment: object };
  fetchQuery(environment: Environment, query: Artifact, variables: object): { toPromise(): Promise<unknown> };
}

const missing = missingTool('relay-compiler') ?? missingTool('relay-runtime');
const sdl = emitSchemas().get('schema.graphql') ?? '';
const shape = cacheShapeOf(sdl);
let app: TestApp;
let headers: Record<string, string>;

const documents = {
  CityQuery: 'query CityQuery { tournament(id: "t1") { id location { city } } }',
  VenueQuery: 'query VenueQuery { tournament(id: "t1") { id title location { venue } } }',
  BothQuery: 'query BothQuery { tournament(id: "t1") { title location { city venue } } }',
  SameIdsQuery: 'query SameIdsQuery { formats { nodes { id title } } playerGroups { nodes { id title } } }',
  LaterQuery: 'query LaterQuery { tournament(id: "t6") { title } }',
  PagesQuery: 'query PagesQuery($count: Int!, $after: String) { ...Pages_list }',
  Pages_list: `fragment Pages_list on Query {
    tournaments(first: $count, after: $after, orderBy: [{ field: ID, direction: ASC }]) @connection(key: "Pages_tournaments") {
      edges { node { id } }
    }
  }`,
  DeleteMutation: 'mutation DeleteMutation { deleteTournament(id: "t6") { nodeId @deleteRecord } }',
};
const artifacts: Record<string, Artifact> = {};
let relay: RelayRuntime;

beforeAll(async () => {
  if (missing) return;
  relay = ((await importTool('relay-runtime')) as { default: RelayRuntime }).default;
  app = await startApp();
  headers = { 'PB-API-TOKEN': app.platform.platform };
  for (const id of ['t1', 't6'])
    await app.graphql(
      `mutation { createTournament(input: { id: "${id}", title: "${id}", location: { city: "Austin", venue: "Hall" } }) { id } }`,
    );
  const directory = await scratchDirectory();
  const config = { src: '.', language: 'javascript', eagerEsModules: false, schema: 'schema.graphql', schemaConfig };
  writeFileSync(join(directory, 'schema.graphql'), sdl);
  writeFileSync(join(directory, 'relay.config.json'), JSON.stringify(config));
  const modules = { City: 'CityQuery', Venue: 'VenueQuery', Both: 'BothQuery', SameIds: 'SameIdsQuery', Later: 'LaterQuery' };
  for (const [file, name] of Object.entries({ ...modules, Delete: 'DeleteMutation' }))
    writeFileSync(join(directory, `${file}.js`), `graphql\`${documents[name as keyof typeof documents]}\`;`);
  writeFileSync(join(directory, 'Pages.js'), `graphql\`${documents.PagesQuery}\`; graphql\`${documents.Pages_list}\`;`);
  execFileSync(process.execPath, [toolPath('relay-compiler', 'cli.js'), 'relay.config.json'], {
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const name of Object.keys(documents).filter((each) => !each.includes('_'))) {
    const module = { exports: {} };
    new Function('module', readFileSync(join(directory, `__generated__/${name}.graphql.js`), 'utf8'))(module);
    artifacts[name] = module.exports;
  }
}, 60_000);

afterAll(() => app?.close());

const artifact = (name: string) => artifacts[name] ?? expect.fail(name);
const created = () => {
  const { Environment, Network, RecordSource, Store } = relay;
  const network = Network.create(async ({ text }, variables) => {
    const body = JSON.stringify({ query: text, variables });
    const response = await fetch(`${app.origin}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    return response.json();
  });
  return new Environment({ network, store: new Store(new RecordSource()), ...relayOptions(shape) });
};
const fetched = (environment: Environment, name: string, variables = {}) =>
  relay.fetchQuery(environment, artifact(name), variables).toPromise();
const lookUp = (environment: Environment, name: string) =>
  environment.lookup(relay.createOperationDescriptor(artifact(name), {}).fragment);

describe('Relay', requires(missing), () => {
  test('merges the fields that two queries select of a record and of its value objects', async () => {
    const environment = created();
    await fetched(environment, 'CityQuery');
    await fetched(environment, 'VenueQuery');
    expect(lookUp(environment, 'BothQuery').data).toEqual({
      tournament: { title: 't1', location: { city: 'Austin', venue: 'Hall' } },
    });
  });

  test('distinguishes records of two types with the same ID', async () => {
    const environment = created();
    await fetched(environment, 'SameIdsQuery');
    expect(lookUp(environment, 'SameIdsQuery').data).toEqual(await app.graphql(documents.SameIdsQuery));
  });

  test('appends the second page of a list to the first', async () => {
    const environment = created();
    await fetched(environment, 'PagesQuery', { count: 1 });
    const source = environment.getStore().getSource();
    const list = () => source.get('client:root:__Pages_tournaments_connection(orderBy:[{"direction":"ASC","field":"ID"}])');
    const pageInfo = source.get(list()?.pageInfo?.__ref ?? '');
    await fetched(environment, 'PagesQuery', { count: 1, after: pageInfo?.endCursor });
    expect(list()?.edges?.__refs?.length).toBe(2);
  });

  test('deletes a record by the ID that the delete mutation returns', async () => {
    const environment = created();
    await fetched(environment, 'LaterQuery');
    await new Promise((resolve, reject) =>
      relay.commitMutation(environment, {
        mutation: artifact('DeleteMutation'),
        variables: {},
        onCompleted: resolve,
        onError: reject,
      }),
    );
    expect(lookUp(environment, 'LaterQuery').data).toEqual({ tournament: null });
  });
});
