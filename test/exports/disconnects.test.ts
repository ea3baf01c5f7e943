import { once } from 'node:events';
import { type ClientRequest, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Response } from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sendExport, sendExportError } from '../../src/exports/send-export.js';
import { acquireList } from '../../src/graphql/limits/concurrency-limiter.js';
import { withDeadline } from '../../src/graphql/limits/deadline.js';

async function* chunks(): AsyncGenerator<string> {
  yield 'id\r\n';
  yield '1\r\n';
}

/** Exports whose clients have disconnected. Each entry resolves when the export has ended. */
const disconnectedExports: Promise<unknown>[] = [];
const content = () => ({ type: 'text/csv', fileName: 'teams.csv', text: chunks() });
const closed = async (response: Response) => {
  response.write('');
  response.destroy();
  await once(response, 'close');
};

const app = express();
app.get('/pending', () => undefined);
app.get('/export', (request, response) => {
  sendExport(request, response, content()).catch((error) => sendExportError(response, error, pino({ level: 'silent' })));
});
app.get('/closed-before', (request, response) => {
  const send = async () => {
    await closed(response);
    await sendExport(request, response, content());
  };
  disconnectedExports.push(send().catch(() => undefined));
});
app.get('/closed-while-acquired', (_request, response) => {
  const send = async () => {
    await acquireList(chunks(), response);
    await closed(response);
  };
  disconnectedExports.push(send());
});

const { listener, stop } = withDeadline(app, 60_000, () => false);
let server: Server;
const pendingRequests: ClientRequest[] = [];
const send = (path: string): ClientRequest =>
  get({ port: (server.address() as AddressInfo).port, path, agent: false }).on('error', () => undefined);
beforeAll(async () => {
  let requestCount = 0;
  server = createServer((request, response) => {
    requestCount += 1;
    listener(request, response);
  }).listen(0);
  await once(server, 'listening');
  // More than 64 pending requests are an overload, in which only two lists are written at a time.
  for (let index = 0; index < 70; index++) pendingRequests.push(send('/pending'));
  await vi.waitUntil(() => requestCount === 70);
});
afterAll(() => {
  for (const request of pendingRequests) request.destroy();
  server.close();
  stop();
});

test.each([
  ['before it starts', '/closed-before'],
  ['before its first byte', '/closed-while-acquired'],
])('under overload, exports continue after clients have disconnected from an export %s', async (_, path) => {
  disconnectedExports.length = 0;
  for (let index = 0; index < 2; index++) send(path);
  await expect.poll(() => disconnectedExports.length).toBe(2);
  await Promise.all(disconnectedExports);
  const [response]: IncomingMessage[] = await once(send('/export'), 'response');
  expect(response?.statusCode).toBe(200);
  const received = await response?.setEncoding('utf8').toArray();
  expect(received?.join('')).toBe('id\r\n1\r\n');
});
