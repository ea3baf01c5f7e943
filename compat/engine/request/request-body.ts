import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';
import { acquireBodyBytes, acquireParsedBytes, maxBodyBytes } from '../../../src/graphql/run.js';
import { createError, fail, statuses } from '../../../src/kernel/declare/errors.js';
import { type Data, isObject, parseJson } from '../bind/json.js';

const parseRawBody = express.raw({ limit: maxBodyBytes, type: () => true });

function bodyError(error: unknown): Error {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === statuses.TOO_LARGE) return createError('TOO_LARGE', `body: expected at most ${maxBodyBytes} bytes`);
  if (status === statuses.UNSUPPORTED_MEDIA_TYPE)
    return createError('UNSUPPORTED_MEDIA_TYPE', 'body: expected no content encoding but gzip, deflate or br');
  // All other errors are caused by the client, for example by an invalid gzip stream.
  return createError('BAD_INPUT', 'body: could not be read to its end');
}

/** Reads an uncompressed body with a known length. This is much faster than the Express parser, and most requests have such a body. */
const plainBytes = (request: IncomingMessage): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const finish = () => {
      const [first] = chunks;
      const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks);
      (request as Request).body = bytes;
      resolve(bytes);
    };
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', finish)
      .once('error', (error) => reject(bodyError(error)));
  });

/** Reads a body with the Express parser, which also accepts plain Node.js requests and responses. */
const parsedBytes = (request: IncomingMessage, response: ServerResponse): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const onParsed = (error?: unknown) => (error ? reject(bodyError(error)) : resolve((request as Request).body));
    parseRawBody(request as Request, response as Response, onParsed);
  });

function bytesOf(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { 'content-length': length = 'unknown', 'content-encoding': encoding, 'transfer-encoding': transfer } = request.headers;
  const isPlain = encoding === undefined && transfer === undefined && Number(length) <= maxBodyBytes;
  return isPlain ? plainBytes(request) : parsedBytes(request, response);
}

/** Byte order mark. Some JSON libraries add it. */
const byteOrderMark = /^\uFEFF/;

/**
 * Reads the body as a JSON object, regardless of its content type. An empty body counts as `{}`. If `isNeeded` is false, `null` also counts
 * as `{}`.
 */
export async function bodyOf(request: IncomingMessage, response: ServerResponse, isNeeded: boolean): Promise<Data> {
  const bodyQuota = acquireBodyBytes(request.headers, response);
  if (bodyQuota) await bodyQuota;
  const bytes = await bytesOf(request, response);
  if (!Buffer.isBuffer(bytes) || !bytes.length) return {};
  const parseQuota = acquireParsedBytes(bytes, response);
  if (parseQuota) await parseQuota;
  if (!isUtf8(bytes)) fail('BAD_INPUT', 'body: expected text in UTF-8');
  const body = parseBody(bytes.toString().replace(byteOrderMark, ''));
  if (body === null && !isNeeded) return {};
  return isObject(body) ? body : fail('BAD_INPUT', 'body: expected a JSON object');
}

function parseBody(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parseJson(text);
  } catch (error) {
    return fail('BAD_INPUT', `body: expected JSON (${error instanceof Error ? error.message : error})`);
  }
}
