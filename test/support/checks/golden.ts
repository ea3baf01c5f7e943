import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/**
 * One request. In path, headers and body, `$0.result.uuid` stands for a value of an earlier answer, the first one's `result.uuid`;
 * `$user` and `$admin` for the ids of those who ask. After the text of a mail, `.linkValue` is the random value at the end of its link.
 */
export interface GoldenRequest {
  method: string;
  path: string;
  /** `admin` is a super admin; `both` is the platform for the user. */
  as: 'platform' | 'user' | 'admin' | 'both' | 'none';
  headers?: Record<string, string>;
  body?: unknown;
}

/** A request with its exact answer, in which `<uuid>`, `<instant>`, `<number>` and `<text>` stand for what the server chooses. */
export interface Golden {
  /** Requests that put there what the request needs. */
  before?: GoldenRequest[];
  /** It needs a service in which nothing else happened. Others stand on ids of their own. */
  alone?: true;
  request: GoldenRequest;
  /** Absent until the answer was written with `vitest -u`, and read by a person. */
  response?: { status: number; body: unknown };
}

/** The service that goldens are played against. */
export interface Host {
  url: string;
  tokens: { platform: string; user: string; admin?: string };
  /** Ids of those who ask. */
  ids?: { user: string; admin: string };
}

/** The name of an operation's golden: `GET /v1/data/teams/{uuid}` → `GET_v1_data_teams_{uuid}`; further ones add a word: `GET_v1_data_teams.by_event`. */
export const goldenName = (method: string, path: string): string => method + path.replaceAll('/', '_');

/** The goldens of a directory by name. */
export const goldenNames = (directory: string): string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .toSorted();

export const readGolden = (directory: string, name: string): Golden =>
  JSON.parse(readFileSync(join(directory, `${name}.json`), 'utf8'));

/**
 * Plays a golden and holds the answer against the file, to the order of the keys. A new golden is a file without `response`:
 * `npx vitest run <test> -u` writes the live answer into it, for a person to read before it is kept. The live answer goes to `also`.
 */
export async function expectGolden(directory: string, name: string, host: Host, also?: (live: Live) => void): Promise<void> {
  const golden = readGolden(directory, name);
  const { played, live } = await play(golden, host);
  if (!holds(golden, played))
    await expect(`${JSON.stringify(played, null, 2)}\n`).toMatchFileSnapshot(join(directory, `${name}.json`));
  also?.(live);
}

/** Whether the live answer is the expected one, to the order of the keys. The file itself may be laid out by hand. */
export const holds = (golden: Golden, played: Golden): boolean =>
  JSON.stringify(golden.response) === JSON.stringify(played.response);

/** An answer as it came. */
interface Answered {
  status: number;
  body: unknown;
}

/** The same with the request as it was sent. */
export interface Live extends Answered {
  request: GoldenRequest;
}

/** The golden with the live answer, its placeholders kept where they hold, and that answer as it came. */
export async function play({ before, response, ...golden }: Golden, host: Host): Promise<{ played: Golden; live: Live }> {
  const known: Known = { ...host.ids };
  for (const [index, earlier] of (before ?? []).entries()) {
    const { status, body } = await send(resolved(earlier, known), host);
    const here = `before[${index}], ${earlier.method} ${earlier.path}`;
    if (status >= 400) throw new Error(`${here}, is answered ${status}: ${JSON.stringify(body)}`);
    known[index] = body;
  }
  const sent = resolved(golden.request, known);
  const live = await send(sent, host);
  const body = response ? masked(live.body, response.body, known) : guessed(live.body, JSON.stringify([sent, known]));
  return {
    live: { ...live, request: sent },
    played: { ...(before && { before }), ...golden, response: { status: live.status, body } },
  };
}

async function send({ method, path, as, headers, body }: GoldenRequest, { url, tokens }: Host): Promise<Answered> {
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

/** What references stand for: earlier answers by number, ids by name. */
type Known = Record<string, unknown>;

const reference = /\$(\d+|user|admin)\b((?:\.\w+)*)/g;

const lookUp = (known: Known, root: string, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>(
      (value, key) => (typeof value === 'string' ? inText(value, key) : (value as Known | undefined)?.[key]),
      known[root],
    );

/** What a mail holds: the random value at the end of its link. */
const inText = (text: string, key: string): string | undefined =>
  key === 'linkValue' ? /https?:\/\/\S*[/=]([\w-]+)/.exec(text)?.[1] : undefined;

/** A value with its references replaced; text that is nothing but a reference takes the type of its value. */
function resolved<T>(value: T, known: Known): T {
  const text = JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'string') return inner;
    const [whole] = inner.matchAll(reference);
    if (whole && whole[0] === inner) return lookUp(known, whole[1] ?? '', whole[2] ?? '') ?? inner;
    return inner.replace(reference, (found, root: string, path: string) => String(lookUp(known, root, path) ?? found));
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

/** The live value, with the placeholders and references of the expected one wherever they hold. */
function masked(live: unknown, wanted: unknown, known: Known): unknown {
  if (typeof wanted === 'string') {
    if (placeholders[wanted]?.(live)) return wanted;
    return JSON.stringify(resolved({ wanted }, known)) === JSON.stringify({ wanted: live }) ? wanted : live;
  }
  if (Array.isArray(live))
    return live.map((item, index) => masked(item, Array.isArray(wanted) ? wanted[index] : undefined, known));
  if (typeof live !== 'object' || live === null) return live;
  const inner = (wanted ?? {}) as Known;
  return Object.fromEntries(Object.entries(live).map(([key, value]) => [key, masked(value, inner[key], known)]));
}

const now = (text: string): boolean => Math.abs(Date.parse(text) - Date.now()) < 60_000;

/** A first answer with placeholders for what the server seems to have chosen: ids and moments that nobody sent, tokens, the numbers of an error. */
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
