import { Readable } from 'node:stream';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import { type Code, codeOf, statuses } from '../kernel/declare/errors.js';
import { maxBodyBytes } from './limits.js';
import { holdBytes, holdContent, type Room } from './room.js';

/** How deep values may be nested: what reads variables calls itself once a level. */
const maxLevels = 100;

const refuse = (response: express.Response, code: Code, message: string): void =>
  void response.status(statuses[code]).json({ errors: [{ message, extensions: { code } }] });

/** What keeps a body from being read, without a word of what stands in it. */
const unreadable: ErrorRequestHandler = (error: Error & { status?: number }, _request, response, _next) => {
  if (codeOf(error) === 'UNAVAILABLE') refuse(response.set('Retry-After', '5'), 'UNAVAILABLE', error.message);
  else if (codeOf(error) === 'BAD_INPUT') refuse(response, 'BAD_INPUT', error.message);
  else if (error.status === statuses.TOO_LARGE) refuse(response, 'TOO_LARGE', `body: expected at most ${maxBodyBytes} bytes`);
  else if (error.status === statuses.UNSUPPORTED_MEDIA_TYPE)
    refuse(response, 'UNSUPPORTED_MEDIA_TYPE', 'body: expected UTF-8, and no content encoding but gzip, deflate or br');
  else refuse(response, 'BAD_INPUT', 'body: expected a JSON object');
};

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length; depth++) {
    if (depth === maxLevels) return level.some((item) => Object.keys(item).length > 0);
    const inner: object[] = [];
    // A body may have hundreds of thousands of values: no lists are made of those that hold none.
    for (const item of level)
      for (const each of Array.isArray(item) ? item : Object.values(item)) if (isContainer(each)) inner.push(each);
    level = inner;
  }
  return false;
}

/** What an address may carry beside the document: JSON objects, of which one is not like that or is nested too deep. */
const wrongIn = ({ query }: Request): string | undefined =>
  ['variables', 'extensions'].find((name) => {
    const text = [query[name]].flat()[0];
    if (typeof text !== 'string' || text === '') return false;
    try {
      const value: unknown = JSON.parse(text);
      return typeof value !== 'object' || Array.isArray(value) || isTooDeep(value);
    } catch {
      return true;
    }
  });

const isObject = (value: unknown): boolean => typeof value === 'object' && !Array.isArray(value);

/** What is wrong with the parts of a body, in words of our own: each of the servers has others for it. */
function wrongPartOf({ query, variables, extensions, operationName, documentId }: Record<string, unknown>): string | null {
  if (query === undefined || query === null || query === '') {
    const isNamed = documentId !== undefined || (isObject(extensions) && extensions !== undefined && extensions !== null);
    return isNamed ? null : 'body: expected a JSON object with a query';
  }
  if (typeof query !== 'string') return 'query: expected a string';
  if (variables !== undefined && !isObject(variables)) return 'variables: expected a JSON object';
  if (extensions !== undefined && !isObject(extensions)) return 'extensions: expected a JSON object';
  const isName = operationName === undefined || operationName === null || typeof operationName === 'string';
  return isName ? null : 'operationName: expected a string';
}

/** What is wrong with an operation that came in another way than as a body; null where nothing is. */
export function wrongOperation(sent: Record<string, unknown>): string | null {
  if (isTooDeep(sent)) return `expected at most ${maxLevels} levels of nesting`;
  return wrongPartOf(sent)?.replace(/^body: /, '') ?? null;
}

const check: RequestHandler = (request, response, next) => {
  const { method, headers, body } = request;
  const wrong = method === 'POST' ? undefined : wrongIn(request);
  const isSent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (wrong) refuse(response, 'BAD_INPUT', `${wrong}: expected a JSON object of at most ${maxLevels} levels`);
  else if (method !== 'POST') next();
  else if (body === undefined && isSent) refuse(response, 'UNSUPPORTED_MEDIA_TYPE', 'content-type: expected application/json');
  else if (body === undefined || Array.isArray(body) || Object.keys(body).length === 0)
    refuse(response, 'BAD_INPUT', 'body: expected a JSON object with a query');
  else if (isTooDeep(body)) refuse(response, 'BAD_INPUT', `body: expected at most ${maxLevels} levels of nesting`);
  else {
    const part = wrongPartOf(body);
    if (part === null) next();
    else refuse(response, 'BAD_INPUT', part);
  }
};

const options = { limit: maxBodyBytes, type: ['json', '+json'] };
const json = express.json(options);
const raw = express.raw(options);

/** Reads a large body when there is room for it, and makes objects of it when there is room for those. */
const read: RequestHandler = async (request, response, next) => {
  const { headers } = request;
  const room = holdBytes(headers, response);
  if (!room) return json(request, response, next);
  await room;
  raw(request, response, async (error?: unknown) => {
    const bytes: unknown = request.body;
    if (error || !Buffer.isBuffer(bytes)) return next(error);
    try {
      await holdContent(bytes, response);
    } catch (full) {
      return next(full);
    }
    // Once more as a request, whose body is at hand.
    const { 'content-encoding': _, 'transfer-encoding': __, ...others } = headers;
    const again = Object.assign(Readable.from([bytes]), { headers: { ...others, 'content-length': String(bytes.length) } });
    json(again as unknown as Request, response, (problem?: unknown) => {
      request.body = Reflect.get(again, 'body');
      next(problem);
    });
  });
};

/** Waits for the turn of a request, which it has until its answer is with the client. */
const inTurn =
  (atWork: Room): RequestHandler =>
  (_request, response, next) =>
    void atWork.hold(1, response).then(() => next(), next);

/** Has a request go on when it is its turn; for those that come to an end soon. */
export const inItsTurn = (atWork: Room): Router => Router().use(inTurn(atWork), unreadable);

/**
 * Reads the body of a GraphQL request, of both servers alike: JSON of at most one megabyte, else an error of the table.
 */
export const graphqlBody = (): Router => Router().use(read, unreadable, check);
