import { deflateSync, gzipSync } from 'node:zlib';
import type { Draw } from './draw.js';
import { hostileTexts, hostileValue, rawNumbers } from './hostile-values.js';
import type { Draft } from './legacy-requests.js';

type Data = Record<string, unknown>;
/** Function that changes the complete path. */
type ToPath = (path: string) => string;
type Break = (draw: Draw, draft: Draft) => ToPath | undefined;

/** Returns the object that contains the fields of a body: its `payload`, or the body itself if it has none. */
function innermost({ body }: Draft): Data {
  const { payload } = (body ?? {}) as Data;
  return (typeof payload === 'object' && payload !== null ? payload : (body ?? {})) as Data;
}

const contentTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'application/json; charset=utf-16',
  '',
];
const encodings = ['gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip', 'x'];
const brokenTexts = [
  '',
  ' ',
  '{',
  '{"payload":',
  '[]',
  '"text"',
  'null',
  '1',
  'payload=1',
  '{"payload":null}',
  '{"payload":[]}',
  '{"payload":"x"}',
  '{"a":1}}',
  `${'['.repeat(20_000)}`,
  `{"payload":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`,
  '{"payload":{},"payload":1}',
];
const wrongTokens = ['', 'garbage', 'x'.repeat(3_000), 'Bearer x', 'pk_unknown', '%00', 'ÿþ', `'; --`];
const headerNames = [
  'Idempotency-Key',
  'If-None-Match',
  'Origin',
  'X-Forwarded-For',
  'Accept-Encoding',
  'Range',
  'consistency-token',
  'traceparent',
  'X-HTTP-Method-Override',
  'Accept',
  'X-Request-Id',
];
const headerTexts = [
  '',
  ',',
  'x'.repeat(2_000),
  '"',
  '*',
  'http://localhost:1',
  '::1, 1.2.3.4',
  'bytes=0-1',
  'ÿ',
  '1',
  '0'.repeat(300),
];

const breaks: readonly Break[] = [
  (draw, { params }) => {
    for (const name of Object.keys(params))
      params[name] = draw.pick(hostileTexts.filter((text) => text.length < 5_000 && text !== ''));
    return undefined;
  },
  (draw, { query }) => {
    for (const each of query) if (draw.chance(0.6)) each[1] = draw.pick(hostileTexts);
    query.push([draw.pick(['page_size', 'current_page', 'retrieve_all', 'fieldsToOmit', 'x']), draw.pick(hostileTexts)]);
    return undefined;
  },
  // Repeats each parameter, in the notations that several frameworks use for lists and objects.
  (draw, { query }) => {
    for (const [name, value] of [...query, ['page_size', '2'] as const])
      query.push([`${name}${draw.pick(['', '[]', '[a]', '.a'])}`, value]);
    return undefined;
  },
  (draw, draft) => {
    const target = innermost(draft);
    const names = Object.keys(target);
    for (let remaining = 1 + draw.upTo(3); remaining > 0 && names.length; remaining--)
      target[draw.pick(names)] = draw.of(hostileValue);
    return undefined;
  },
  (draw, draft) => {
    const target = innermost(draft);
    const names = Object.keys(target);
    if (names.length) target[draw.pick(names)] = draw.pick(rawNumbers);
    return undefined;
  },
  (draw, draft) => {
    const target = innermost(draft);
    for (const name of ['x', 'id', 'uuid', 'fieldsToOmit', 'createdAt', 'owner'])
      if (draw.chance(0.4)) target[name] = draw.of(hostileValue);
    return undefined;
  },
  (draw, draft) => {
    draft.body = draw.pick(brokenTexts);
    return undefined;
  },
  (draw, draft) => {
    draft.body = draw.chance(0.5) ? undefined : { payload: draw.of(hostileValue), fieldsToOmit: draw.of(hostileValue) };
    return undefined;
  },
  (draw, draft) => {
    const { headers } = draft;
    const text = Buffer.from(JSON.stringify(draft.body ?? {}));
    draft.body = draw.pick([
      gzipSync(text),
      deflateSync(text),
      gzipSync(text).subarray(0, 15),
      text,
      Buffer.from([0xff, 0xfe, 0x7b, 0]),
      gzipSync(Buffer.alloc(3_000_000)),
    ]);
    headers.push(['content-encoding', draw.pick(encodings)]);
    return undefined;
  },
  (draw, { headers }) => {
    headers.push(['content-type', draw.pick(contentTypes)]);
    return undefined;
  },
  (draw, { headers }) => {
    headers.splice(0, 1, [draw.pick(['PB-API-TOKEN', 'PB-USER-TOKEN', 'Authorization']), draw.pick(wrongTokens)]);
    return undefined;
  },
  (draw, { headers }) => {
    const [first] = headers;
    if (first) headers.push(draw.chance(0.5) ? [...first] : [first[0], 'other']);
    return undefined;
  },
  (draw, { headers }) => {
    headers.push([draw.pick(headerNames), draw.pick(headerTexts)]);
    return undefined;
  },
  (draw, draft) => {
    draft.method = draw.pick(['HEAD', 'OPTIONS', 'PATCH', 'PUT', 'DELETE', 'POST', 'TRACE', 'PROPFIND']);
    return undefined;
  },
  (draw) => {
    const suffix = draw.pick([
      '%',
      '%zz',
      '%00',
      '%ff',
      '/',
      '//',
      '/..',
      '/%2e%2e/',
      ';a=b',
      '?',
      '?&&=&',
      '?%=%',
      '#x',
      '/\u00ff',
      `/${'x'.repeat(8_000)}`,
      '?a[__proto__][b]=1',
    ]);
    return (path) => path + suffix;
  },
  (draw) => {
    const prefix = draw.pick(['/', '//', '/%76%31', '/v1/..']);
    return (path) => prefix + path;
  },
];

/** Makes a draft invalid in one or several places. Returns a function that changes its path, or false if the path stays the same. */
export function breakRequest(draw: Draw, draft: Draft): ToPath | false {
  const pathChanges = Array.from({ length: draw.pick([1, 1, 1, 2, 3]) }, () => draw.pick(breaks)(draw, draft));
  const toPath = pathChanges.filter((each) => each !== undefined);
  return toPath.length > 0 && ((path) => toPath.reduce((text, each) => each(text), path));
}
