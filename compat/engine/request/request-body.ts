import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import express, { type Request, type Response } from 'express';
import { acquireBodyBytes, acquireParsedBytes, maxBodyBytes } from '../../../src/gateway/run.js';
import { fail, problem, statuses } from '../../../src/kernel/declare/errors.js';
import { type Data, isObject, parseJson } from '../bind/json.js';

const read = express.raw({ limit: maxBodyBytes, type: () => true });

function refusal(error: unknown): Error {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === statuses.TOO_LARGE) return problem('TOO_LARGE', `body: expected at most ${maxBodyBytes} bytes`);
  if (status === statuses.UNSUPPORTED_MEDIA_TYPE)
    return problem('UNSUPPORTED_MEDIA_TYPE', 'body: expected no content encoding but gzip, deflate or br');
  // Whatever else keeps a body from being read, such as a broken gzip stream, is the sender's.
  return problem('BAD_INPUT', 'body: could not be read to its end');
}

/** The bytes of a body that comes as it is, in a length that was told: most do, and the parser takes as long as all the rest of them. */
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
      .once('error', (error) => reject(refusal(error)));
  });

/** Node's own request and response are all that the parser needs of Express. */
const parsedBytes = (request: IncomingMessage, response: ServerResponse): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const settled = (error?: unknown) => (error ? reject(refusal(error)) : resolve((request as Request).body));
    read(request as Request, response as Response, settled);
  });

function bytesOf(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { 'content-length': length = 'unknown', 'content-encoding': encoding, 'transfer-encoding': transfer } = request.headers;
  const isPlain = encoding === undefined && transfer === undefined && Number(length) <= maxBodyBytes;
  return isPlain ? plainBytes(request) : parsedBytes(request, response);
}

/** Some platforms' JSON writers put it in front. */
const byteOrderMark = /^\uFEFF/;

/** The body as a JSON object, whatever content type it claims. An empty one is `{}`, and so is `null` where no body is needed. */
export async function bodyOf(request: IncomingMessage, response: ServerResponse, isNeeded: boolean): Promise<Data> {
  const arriving = acquireBodyBytes(request.headers, response);
  if (arriving) await arriving;
  const bytes = await bytesOf(request, response);
  if (!Buffer.isBuffer(bytes) || !bytes.length) return {};
  const understood = acquireParsedBytes(bytes, response);
  if (understood) await understood;
  if (!isUtf8(bytes)) fail('BAD_INPUT', 'body: expected text in UTF-8');
  const body = parsed(bytes.toString().replace(byteOrderMark, ''));
  if (body === null && !isNeeded) return {};
  return isObject(body) ? body : fail('BAD_INPUT', 'body: expected a JSON object');
}

function parsed(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parseJson(text);
  } catch (error) {
    return fail('BAD_INPUT', `body: expected JSON (${error instanceof Error ? error.message : error})`);
  }
}
