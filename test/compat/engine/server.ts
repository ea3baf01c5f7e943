import { once } from 'node:events';
import express from 'express';
import { onTestFinished } from 'vitest';
import { type LegacyOptions, legacyRouter } from '../../../compat/engine/index.js';
import type { Caller } from '../../../src/graphql/run.js';
import { portOf } from '../../../src/process/port.js';
import type { Sample } from './sample-graph.js';
import { sampleRecords, sampleRoutes } from './sample-tables.js';

const callers: Record<string, Partial<Caller>> = {
  P: { platform: { id: 'p1', name: 'one' } },
  U: { user: { id: 'u1', name: '', isSuperAdmin: false, roles: new Set() } },
  S: { user: { id: 's1', name: '', isSuperAdmin: true, roles: new Set() } },
};

/** Identifies callers by their test tokens: `P` is a platform, `U` a user, `S` a super admin. Every other token is unknown. */
const identify: LegacyOptions['identify'] = async (headers) => {
  const tokens = [headers['pb-api-token'], headers['pb-user-token']].flat().filter((token) => token !== undefined);
  const identities = tokens.map((token) => callers[token] ?? { rejected: true });
  return Object.assign({ platform: null, key: null, user: null, rejected: false }, ...identities);
};

export interface ServedAnswer {
  status: number;
  headers: Headers;
  body: unknown;
  text: string;
}

export interface Client {
  readonly url: string;
  /** Sends a request, such as `send('GET /v1/…', { as: 'P', body: … })`. Objects are sent as JSON. Text and bytes are sent unchanged. */
  send(route: string, options?: { as?: string; headers?: Record<string, string>; body?: unknown }): Promise<ServedAnswer>;
  /** Details of the logged errors. */
  readonly logged: object[];
}

/** Serves the sample tables with a graph on a free port, until the test ends. */
export async function serve(graph: Sample, options: Partial<LegacyOptions> = {}): Promise<Client> {
  const logged: object[] = [];
  const log = { error: (details: object) => void logged.push(details) };
  const app = express().use(
    legacyRouter({ graph, routes: [sampleRoutes], records: sampleRecords, identify, paging: 'offset', log, ...options }),
  );
  app.use((_, response) => void response.status(418).end());
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${portOf(server)}`;
  return {
    url,
    logged,
    async send(route, { as, headers = {}, body } = {}) {
      const [method = '', path = ''] = route.split(' ');
      const tokens = [...(as ?? '')].map((token) => [token === 'P' || token === 'X' ? 'PB-API-TOKEN' : 'PB-USER-TOKEN', token]);
      const payload = body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
      const response = await fetch(url + path, {
        method,
        headers: { ...Object.fromEntries(tokens), ...headers },
        body: payload as BodyInit,
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: text && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
      };
    },
  };
}
