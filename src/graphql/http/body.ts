import { Readable } from 'node:stream';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import { type Code, codeOf, statuses } from '../../kernel/declare/errors.js';
import { recordUnavailability, requestFactsOf } from '../../kernel/monitoring/request-facts.js';
import { countErrors } from '../errors/error-counts.js';
import { acquireBodyBytes, acquireParsedBytes, type ConcurrencyLimiter } from '../limits/concurrency-limiter.js';
import { maxBodyBytes } from '../limits/request-limits.js';
import { readBodyOf } from './query-cache.js';

/** Maximum nesting depth of the values in a request. Code that reads variables recurses once per level. */
const maxDepth = 100;

function refuse(response: express.Response, code: Code, message: string): void {
  const errors = [{ message, extensions: { code } }];
  countErrors(errors);
  response.status(statuses[code]).json({ errors });
}

/** Sends an error response if a request body cannot be read. The message never contains parts of the body. */
const sendBodyError: ErrorRequestHandler = (error: Error & { status?: number }, _request, response, _next) => {
  if (codeOf(error) === 'UNAVAILABLE') {
    recordUnavailability(error, requestFactsOf(response));
    refuse(response.set('Retry-After', '5'), 'UNAVAILABLE', error.message);
  } else if (codeOf(error) === 'BAD_INPUT') refuse(response, 'BAD_INPUT', error.message);
  else if (error.status === statuses.TOO_LARGE) refuse(response, 'TOO_LARGE', `body: expected at most ${maxBodyBytes} bytes`);
  else if (error.status === statuses.UNSUPPORTED_MEDIA_TYPE)
    refuse(
      response,
      'UNSUPPORTED_MEDIA_TYPE',
      'body: expected UTF-8, uncompressed or with the content encoding gzip, deflate or br',
    );
  else refuse(response, 'BAD_INPUT', 'body: expected a JSON object');
};

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length; depth++) {
    if (depth === maxDepth) return level.some((item) => Object.keys(item).length > 0);
    const containers: object[] = [];
    // A body can have more than a hundred thousand values, so the loop creates no arrays for scalars.
    for (const item of level)
      for (const child of Array.isArray(item) ? item : Object.values(item)) if (isContainer(child)) containers.push(child);
    level = containers;
  }
  return false;
}

/** Returns the name of a URL parameter that is not a JSON object or is nested too deeply. Undefined if all parameters are valid. */
const invalidParameterOf = ({ query }: Request): string | undefined =>
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

/**
 * Describes the first invalid property of a body. Null if all properties are valid. Replaces the error messages of both server libraries.
 */
function bodyProblemOf({ query, variables, extensions, operationName, documentId }: Record<string, unknown>): string | null {
  if (query === undefined || query === null || query === '') {
    const isPersisted = documentId !== undefined || (isObject(extensions) && extensions !== undefined && extensions !== null);
    return isPersisted ? null : 'body: expected a JSON object with a query';
  }
  if (typeof query !== 'string') return 'query: expected a string';
  if (variables !== undefined && !isObject(variables)) return 'variables: expected a JSON object';
  if (extensions !== undefined && !isObject(extensions)) return 'extensions: expected a JSON object';
  const isName = operationName === undefined || operationName === null || typeof operationName === 'string';
  return isName ? null : 'operationName: expected a string';
}

/** Describes the problem of an operation that was not sent over HTTP. Null if the operation is valid. */
export function operationProblemOf(operation: Record<string, unknown>): string | null {
  if (isTooDeep(operation)) return `expected at most ${maxDepth} levels of nesting`;
  return bodyProblemOf(operation)?.replace(/^body: /, '') ?? null;
}

const checkBody: RequestHandler = (request, response, next) => {
  const { method, headers, body } = request;
  const invalidParameter = method === 'POST' ? undefined : invalidParameterOf(request);
  const hasContent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (invalidParameter)
    refuse(response, 'BAD_INPUT', `${invalidParameter}: expected a JSON object of at most ${maxDepth} levels`);
  else if (method !== 'POST') next();
  else if (body === undefined && hasContent)
    refuse(response, 'UNSUPPORTED_MEDIA_TYPE', 'content-type: expected application/json');
  else if (body === undefined || Array.isArray(body) || Object.keys(body).length === 0)
    refuse(response, 'BAD_INPUT', 'body: expected a JSON object with a query');
  else if (isTooDeep(body)) refuse(response, 'BAD_INPUT', `body: expected at most ${maxDepth} levels of nesting`);
  else {
    const problem = bodyProblemOf(body);
    if (problem === null) next();
    else refuse(response, 'BAD_INPUT', problem);
  }
};

const options = { limit: maxBodyBytes, type: ['json', '+json'] };
const json = express.json(options);
const raw = express.raw(options);

/** Parses the bytes of a body through a second request object, because `express.json` reads streams only. */
function parseBytes(bytes: Buffer, request: Request, response: express.Response, next: express.NextFunction): void {
  const { 'content-encoding': _, 'transfer-encoding': __, ...otherHeaders } = request.headers;
  const replayedRequest = Object.assign(Readable.from([bytes]), {
    headers: { ...otherHeaders, 'content-length': String(bytes.length) },
  });
  json(replayedRequest as unknown as Request, response, (problem?: unknown) => {
    request.body = Reflect.get(replayedRequest, 'body');
    next(problem);
  });
}

/** Reads a body. Large bodies wait for the memory limiters: before they are read, and again before they are parsed. */
const readBody: RequestHandler = async (request, response, next) => {
  const { headers } = request;
  const earlierBody = readBodyOf(request);
  if (earlierBody) return parseBytes(earlierBody, request, response, next);
  const admission = acquireBodyBytes(headers, response);
  if (!admission) return json(request, response, next);
  await admission;
  raw(request, response, async (error?: unknown) => {
    const bytes: unknown = request.body;
    if (error || !Buffer.isBuffer(bytes)) return next(error);
    try {
      await acquireParsedBytes(bytes, response);
    } catch (overload) {
      return next(overload);
    }
    parseBytes(bytes, request, response, next);
  });
};

/** Waits for a slot of the database limiter, and holds it until the response is sent. */
const acquireDatabaseSlot =
  (databaseLimiter: ConcurrencyLimiter): RequestHandler =>
  (_request, response, next) =>
    void databaseLimiter.acquireForResponse(1, response).then(() => next(), next);

/**
 * Middleware that limits how many requests use the database at once. Not suitable for subscriptions, because they would occupy a slot for
 * their whole duration.
 */
export const limitConcurrency = (databaseLimiter: ConcurrencyLimiter): Router =>
  Router().use(acquireDatabaseSlot(databaseLimiter), sendBodyError);

/** Middleware for both servers that reads the body of a GraphQL request: JSON of at most one megabyte. */
export const graphqlBody = (): Router => Router().use(readBody, sendBodyError, checkBody);
