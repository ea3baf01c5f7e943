import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/**
 * One request. In its path, headers and body, `$0.result.uuid` is replaced with `result.uuid` of the first response to `before`. `$user`
 * and `$admin` are replaced with the IDs of these users. `.linkValue` after the text of an email returns the random value at the end of
 * the link in the email.
 */
export interface GoldenRequest {
  method: string;
  path: string;
  /** Caller of the request. `admin` is a super admin. `both` sends the tokens of the platform and of the user. */
  as: 'platform' | 'user' | 'admin' | 'both' | 'none';
  headers?: Record<string, string>;
  body?: unknown;
}

/**
 * A request with its expected response. The placeholders `<uuid>`, `<instant>`, `<number>` and `<text>` replace values that the server
 * chooses.
 */
export interface Golden {
  /** Requests that run first and create the data for `request`. */
  before?: GoldenRequest[];
  /** Whether the request needs a service to which no other request has been sent. Other requests share a service and use their own IDs. */
  alone?: true;
  request: GoldenRequest;
  /** Absent until `vitest -u` writes the response. Review it before you commit it. */
  response?: { status: number; body: unknown };
}

/** The service that receives the requests of golden files. */
export interface GoldenHost {
  url: string;
  tokens: { platform: string; user: string; admin?: string };
  /** IDs of the users that send requests. */
  ids?: { user: string; admin: string };
}

/**
 * Returns the name of the golden file for an operation: `GET /v1/data/teams/{uuid}` → `GET_v1_data_teams_{uuid}`. Additional files for the
 * operation append a word: `GET_v1_data_teams.by_event`.
 */
export const goldenName = (method: string, path: string): string => method + path.replaceAll('/', '_');

/** Returns the names of the golden files in a directory, sorted and without their extension. */
export const goldenNames = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted();

export const readGolden = (directory: string, name: string): Golden =>
  JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8'));

/**
 * Sends the requests of a golden file, compares the response, including the order of keys, and calls `also` with the response. For a file
 * without `response`, `npx vitest run <test> -u` writes the received response into the file. Review it before you commit it.
 */
export async function expectGolden(
  directory: string,
  name: string,
  host: GoldenHost,
  also?: (live: LiveGolden) => void,
): Promise<void> {
  const golden = readGolden(directory, name);
  const { played, live } = await play(golden, host);
  if (!isMatching(golden, played))
    await expect(`${JSON.stringify(played, null, 2)}\n`).toMatchFileSnapshot(join(directory, `${name}.json`));
  also?.(live);
}

/** Whether the received response equals the expected response, including the order of keys. The layout of the file does not matter. */
export const isMatching = (golden: Golden, played: Golden): boolean =>
  JSON.stringify(golden.response) === JSON.stringify(played.response);

/** A received response. */
interface Answered {
  status: number;
  body: unknown;
}

/** A received response with its request. */
export interface LiveGolden extends Answered {
  request: GoldenRequest;
}

/** Sends the requests in `before`. Returns the values that references in `request` point to. */
async function prepare(before: readonly GoldenRequest[], host: GoldenHost): Promise<ReferenceValues> {
  const values: ReferenceValues = { ...host.ids };
  for (const [index, earlier] of before.entries()) {
    const { status, body } = await send(resolved(earlier, values), host);
    const label = `before[${index}], ${earlier.method} ${earlier.path}`;
    if (status >= 400) throw new Error(`${label}, returned ${status}: ${JSON.stringify(body)}`);
    values[index] = body;
  }
  return values;
}

/**
 * Sends the requests of a golden file. Returns the golden file with the received response, in which matching placeholders are preserved,
 * and the response without placeholders.
 */
export async function play(
  { before, response, ...golden }: Golden,
  host: GoldenHost,
): Promise<{ played: Golden; live: LiveGolden }> {
  const values = await prepare(before ?? [], host);
  const sentRequest = resolved(golden.request, values);
  const live = await send(sentRequest, host);
  const body = response ? masked(live.body, response.body, values) : guessed(live.body, JSON.stringify([sentRequest, values]));
  return {
    live: { ...live, request: sentRequest },
    played: { ...(before && { before }), ...golden, response: { status: live.status, body } },
  };
}

/** Sends the requests in `before` to the first host, and then `request` to each host in turn. Returns the responses, without placeholders. */
export async function playOn(hosts: readonly [GoldenHost, ...GoldenHost[]], { before, request }: Golden): Promise<Answered[]> {
  const sentRequest = resolved(request, await prepare(before ?? [], hosts[0]));
  const answers: Answered[] = [];
  for (const host of hosts) answers.push(await send(sentRequest, host));
  return answers;
}

async function send({ method, path, as, headers, body }: GoldenRequest, { url, tokens }: GoldenHost): Promise<Answered> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(as === 'platform' || as === 'both' ? { 'PB-API-TOKEN': tokens.platform } : {}),
      ...(as === 'user' || as === 'both' ? { 'PB-USER-TOKEN': tokens.user } : {}),
      ...(as === 'admin' ? { 'PB-USER-TOKEN': tokens.admin ?? '' } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, body: text === '' ? null : json ? JSON.parse(text) : text };
}

/** Values that references point to: earlier responses keyed by number, and user IDs keyed by name. */
type ReferenceValues = Record<string, unknown>;

const reference = /\$(\d+|user|admin)\b((?:\.\w+)*)/g;

const lookUp = (values: ReferenceValues, root: string, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, key) => (typeof value === 'string' ? inText(value, key) : (value as ReferenceValues | undefined)?.[key]),
      values[root],
    );

/** Returns the random value at the end of the link in the text of an email, if `key` is `linkValue`. */
const inText = (text: string, key: string): string | undefined =>
  key === 'linkValue' ? /https?:\/\/\S*[/=]([\w-]+)/.exec(text)?.[1] : undefined;

/**
 * Replaces the references in a value. A text that consists of exactly one reference is replaced with the value itself, which can have any
 * type.
 */
function resolved<T>(value: T, values: ReferenceValues): T {
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'string') return inner;
    const [whole] = inner.matchAll(reference);
    if (whole && whole[0] === inner) return lookUp(values, whole[1] ?? '', whole[2] ?? '') ?? inner;
    return inner.replace(reference, (match, root: string, path: string) => String(lookUp(values, root, path) ?? match));
  });
  return JSON.parse(text);
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z$/;

const placeholders: Record<string, (value: unknown) => boolean> = {
  '<uuid>': (value) => typeof value === 'string' && uuid.test(value),
  '<instant>': (value) => typeof value === 'string' && instant.test(value),
  '<number>': (value) => typeof value === 'number',
  '<text>': (value) => typeof value === 'string' && value !== '',
};

/** Returns the received value, with the placeholders and references of the expected value where they match. */
function masked(live: unknown, wanted: unknown, values: ReferenceValues): unknown {
  if (typeof wanted === 'string') {
    if (placeholders[wanted]?.(live)) return wanted;
    return JSON.stringify(resolved({ wanted }, values)) === JSON.stringify({ wanted: live }) ? wanted : live;
  }
  if (Array.isArray(live))
    return live.map((item, index) => masked(item, Array.isArray(wanted) ? wanted[index] : undefined, values));
  if (typeof live !== 'object' || live === null) return live;
  const inner = (wanted ?? {}) as ReferenceValues;
  return Object.fromEntries(Object.entries(live).map(([key, value]) => [key, masked(value, inner[key], values)]));
}

const now = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < 60_000;

/**
 * Returns a new response with placeholders for values that the server seems to choose: IDs and timestamps that no request contains, tokens,
 * and the numbers in an error.
 */
function guessed(live: unknown, known: string, key = ''): unknown {
  if (typeof live === 'string') {
    if (/token$/i.test(key) && live !== '') return '<text>';
    if (known.includes(live)) return live;
    if (uuid.test(live)) return '<uuid>';
    return instant.test(live) && now(live) ? '<instant>' : live;
  }
  if (key === 'Timestamp' || key === 'RequestId') return '<number>';
  if (Array.isArray(live)) return live.map((item) => guessed(item, known));
  if (typeof live !== 'object' || live === null) return live;
  return Object.fromEntries(Object.entries(live).map(([name, value]) => [name, guessed(value, known, name)]));
}
