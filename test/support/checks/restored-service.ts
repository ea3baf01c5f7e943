import { expect } from 'vitest';
import { curlOf, firstSample } from '../../../compat/reference/samples.js';
import { demo } from '../../../src/demo/tokens.js';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { referenceOf } from '../../../src/pages/reference.js';
import { startWebhookReceiver } from '../../modules/live/webhooks/receiver.js';
import { subscribe } from '../clients/event-stream.js';
import type { TestApp } from '../servers/app.js';
import type { Process } from '../servers/second-app.js';

type Service = Pick<Process, 'origin' | 'graphql'>;

const platform = { platform: demo.platformToken };

/** Queries that cover full lists, misspelled searches, distances, private values and logs. */
const queries = [
  '{ tournaments(filter: { search: "autsin open" }) { totalCount nodes { id title } } }',
  '{ tournaments(filter: { near: { latitude: 30.27, longitude: -97.74, distance: 100 } }) { totalCount nodes { id distance } } }',
  '{ search(text: "austn") { totalCount nodes { __typename name } } }',
  '{ payments(first: 100) { nodes { id amount createdAt } } }',
  '{ auditEntries(first: 100) { totalCount nodes { id recordKey createdAt changes { field before after } } } }',
];

/** Returns the responses of a service with the demo season: to a sample of each GET operation of `/v1`, and to some queries. */
export async function demoResponses({ origin }: Pick<Service, 'origin'>): Promise<Record<string, string>> {
  const { groups } = referenceOf(graphOfModules());
  const reads = groups.flatMap(({ operations }) => operations).filter(({ method }) => method === 'GET');
  const responses: Record<string, string> = {};
  const send = async (name: string, url: string, options: RequestInit) => {
    const response = await fetch(url, options);
    // Errors contain the time of the request.
    responses[name] = response.ok ? await response.text() : String(response.status);
  };
  const user = { 'PB-USER-TOKEN': demo.userToken };
  const headers = { 'content-type': 'application/json', 'PB-API-TOKEN': demo.platformToken, 'PB-USER-TOKEN': demo.adminToken };
  await Promise.all([
    ...reads.map((operation) => {
      const [, url = ''] = /'([^']+)'/.exec(curlOf(operation, firstSample(operation), origin)) ?? [];
      const tokens = operation.auth === 'user' ? user : { ...user, 'PB-API-TOKEN': demo.platformToken };
      return send(operation.name, url, { headers: tokens });
    }),
    ...queries.map((query) => send(query, `${origin}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })),
  ]);
  return responses;
}

/** A subscriber and a webhook that followed the changes of a service before its database was restored. */
export interface Follower {
  /** Reads the current cursor, like a subscriber that has received all changes. */
  catchUp(): Promise<void>;
  /**
   * Returns the events that the subscriber and the webhook get from the service on the restored database, including those of a new team.
   */
  eventsFrom(restored: Service): Promise<{ subscriber: string[]; webhook: string[] }>;
  close(): Promise<void>;
}

/** Expected result of `eventsFrom`: both receive a notification of missed changes, and then the later changes. */
export const eventsAfterRestore = {
  subscriber: ['CHANGES_MISSED', 'CREATED restored-team'],
  webhook: ['changes.missed', 'team.created restored-team'],
};

/** Follows the changes of a service with the demo platform. The service must accept webhooks to 127.0.0.1. */
export async function followChanges(app: Pick<TestApp, 'graphql'>): Promise<Follower> {
  const { url, deliveries, close } = await startWebhookReceiver();
  const { liveCursor, errors } = await app.graphql('{ liveCursor }', {}, platform);
  let cursor = liveCursor;
  const { createWebhook } = await app.graphql(
    'mutation ($url: String!) { createWebhook(url: $url, events: ["team.*"]) { webhook { id } } }',
    { url },
    platform,
  );
  expect({ errors, webhook: createWebhook }).toEqual({ errors: undefined, webhook: { webhook: { id: expect.any(String) } } });
  const received = () => deliveries.map(({ type, data }) => (type === 'changes.missed' ? type : `${type} ${data.id}`));
  return {
    async catchUp() {
      cursor = (await app.graphql('{ liveCursor }', {}, platform)).liveCursor;
    },
    async eventsFrom(restored) {
      const stream = await subscribe(
        restored,
        platform,
        'subscription ($after: String) { teams(tournamentId: "demo-tournament", after: $after) { kind id } }',
        { after: cursor },
      );
      await stream.until(1);
      await expect.poll(received).toContain('changes.missed');
      await restored.graphql(
        'mutation { upsertTeam(input: { id: "restored-team", tournamentId: "demo-tournament" }) { id } }',
        {},
        platform,
      );
      await stream.until(2);
      await expect.poll(received).toContain('team.created restored-team');
      const subscriber = stream.events.map(({ data }) => {
        const { kind, id } = Object(data?.teams);
        return id === null ? kind : `${kind} ${id}`;
      });
      stream.close();
      return { subscriber, webhook: received() };
    },
    close,
  };
}
