import { type Codecs, type Data, entriesOf, type Route, type RouteEntry } from '../../../compat/engine/index.js';
import { isReader, type Parameter, parametersOf } from '../../../compat/engine/request/reader.js';
import { legacyRoutes } from '../../../compat/index.js';
import { password, tokens } from './attacked.js';
import type { Draw } from './draw.js';
import { jsonText } from './hostile-values.js';
import { breakRequest } from './legacy-breaking.js';
import { recordFor, textFor } from './legacy-values.js';
import type { Pools } from './pools.js';
import type { RequestToSend } from './wire.js';

/** Parts of a `/v1` request. Each part can be made invalid. */
export interface Draft {
  method: string;
  readonly pattern: string;
  readonly params: Record<string, string>;
  readonly query: [name: string, value: string][];
  readonly headers: [name: string, value: string][];
  /** Undefined if the request has no body. */
  body: unknown;
}

export const entries: readonly RouteEntry[] = entriesOf(legacyRoutes);

const platform: [string, string] = ['PB-API-TOKEN', tokens.platform];
const user: [string, string] = ['PB-USER-TOKEN', tokens.user];
const admin: [string, string] = ['PB-USER-TOKEN', tokens.admin];

/** Returns the token headers of a caller, usually one that the route permits. */
function callerOf(draw: Draw, { auth }: Route): [string, string][] {
  const fitting = {
    platform: [[platform], [platform, admin]],
    user: [[admin], [user]],
    platformOrUser: [[platform], [admin], [user]],
    anyone: [[], [platform]],
  };
  const unusualTokens: [string, string][][] = [
    [],
    [['PB-API-TOKEN', tokens.key]],
    [platform, user],
    [['Authorization', `Bearer ${tokens.user}`]],
  ];
  return draw.pick(draw.chance(0.1) ? unusualTokens : (fitting[auth] as [string, string][][]));
}

/**
 * Secrets for the fields of registration and login, with both names of the password field. With them, requests contain secrets where
 * possible, so that the checks can detect leaks.
 */
const secretFields = { password, new_password: password, email: 'abuse@example.com', token: tokens.user };

function bodyOf(draw: Draw, pools: Pools, route: Route, parameters: readonly Parameter[], codecs: Codecs, path: string): Data {
  const record = Object.values(route.args ?? {}).find((entry) => isReader(entry) && entry.body);
  const reader = record && isReader(record) ? record.body : undefined;
  if (reader) {
    const legacyRecord = recordFor(draw, pools, codecs.get(reader.record), codecs, path);
    return reader.isWrapped ? { payload: legacyRecord } : legacyRecord;
  }
  const fields = (place: Parameter['in']): Data =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place)
        .map((parameter) => [parameter.name, textOrValue(draw, pools, parameter, path)]),
    );
  return { ...fields('body'), payload: { ...(draw.chance(0.2) ? secretFields : {}), ...fields('payload') } };
}

function textOrValue(draw: Draw, pools: Pools, parameter: Parameter, path: string): unknown {
  const text = textFor(draw, pools, parameter, path);
  const { type } = parameter.schema;
  if (type === 'boolean') return /true|1/i.test(text);
  if (type === 'integer' || type === 'number') return Number(text);
  return type === 'array' ? [text] : text;
}

/** Values of path parameters that are neither IDs nor enumerations. */
const namedParams: Readonly<Record<string, string>> = { module_for: 'news', action: '3' };

/** Returns the path parameters. The record usually belongs to the user in the path. */
function pathParams(draw: Draw, pools: Pools, path: string, params: readonly Parameter[]): Record<string, string> {
  const values = Object.fromEntries(
    params.map((each) => [each.name, namedParams[each.name] ?? textFor(draw, pools, each, path)]),
  );
  const owners = Object.values(values).flatMap((id) => pools.owners.get(id) ?? []);
  if (path.startsWith('/v1/users/{uuid}/') && owners[0] && draw.chance(0.8)) values.uuid = owners[0];
  return values;
}

/** Creates a request that is valid according to the route tables. */
function draftFor(draw: Draw, pools: Pools, { method, path, params, alternatives }: RouteEntry, codecs: Codecs): Draft {
  const route = draw.pick(alternatives);
  const args = route.when ? { ...route.args, when: route.when } : (route.args ?? {});
  const parameters = parametersOf(args);
  const ofPath = (name: string): Parameter =>
    parameters.find((parameter) => parameter.in === 'path' && parameter.name === name) ?? {
      in: 'path',
      name,
      required: true,
      schema: { type: 'string' },
    };
  const query = parameters.filter((parameter) => parameter.in === 'query' && (parameter.required || draw.chance(0.35)));
  const headers = parameters.filter((parameter) => parameter.in === 'header' && draw.chance(0.5));
  const own = route.ownUserParam && draw.chance(0.3) ? { [route.ownUserParam]: 'abuse-user' } : {};
  return {
    method,
    pattern: path,
    params: { ...pathParams(draw, pools, path, params.map(ofPath)), ...own },
    query: query.map((parameter) => [parameter.name, textFor(draw, pools, parameter, path)]),
    headers: [
      ...callerOf(draw, route),
      ...headers.map((parameter): [string, string] => [
        parameter.name,
        encodeURIComponent(textFor(draw, pools, parameter, path)),
      ]),
      ...(method === 'GET' ? [] : ([['content-type', 'application/json']] as [string, string][])),
    ],
    body: method === 'GET' ? undefined : bodyOf(draw, pools, route, parameters, codecs, path),
  };
}

/** Percent-encodes a text as clients do. A lone surrogate, which has no UTF-8 encoding, becomes bytes that older clients send. */
export const escaped = (text: string): string =>
  text.isWellFormed() ? encodeURIComponent(text) : encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%BD');

function assembled({ method, pattern, params, query, headers, body }: Draft): RequestToSend {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => escaped(params[name] ?? ''));
  const queryText = query.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');
  const content = body === undefined || Buffer.isBuffer(body) ? body : typeof body === 'string' ? body : jsonText(body);
  return { method, path: path + (queryText && `?${queryText}`), headers, body: content };
}

export interface LegacyCase {
  readonly entry: RouteEntry;
  /** Whether the request is valid according to the route and record tables of `/v1`. It may still violate business rules. */
  readonly isWhole: boolean;
  readonly sent: RequestToSend;
  readonly number: number;
}

/** Creates the case with the given number. Consecutive numbers cover all routes, with valid and invalid requests. */
export function legacyCase(draw: Draw, number: number, pools: Pools, codecs: Codecs): LegacyCase {
  const entry = entries[number % entries.length] as RouteEntry;
  const draft = draftFor(draw, pools, entry, codecs);
  // Each route alternates between valid and invalid requests.
  const isWhole = Math.floor(number / entries.length) % 2 === 0;
  const isRaw = isWhole ? false : breakRequest(draw, draft);
  const sent = assembled(draft);
  return { entry, isWhole, number, sent: isRaw ? { ...sent, path: isRaw(sent.path) } : sent };
}
