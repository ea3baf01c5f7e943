import type { JsonSchema } from '../engine/bind/json.js';
import type { ReferenceOperation } from './operation.js';
import { seasonValueAt } from './season-values.js';

/** A request that one could send: values by the names of the parameters, and a body. */
export interface Sample {
  readonly values: Readonly<Record<string, string>>;
  /** Undefined where the operation takes none. */
  readonly body: unknown;
}

/** What a recorded request has at the parameters of the path and the query. */
export function valuesIn(pattern: string, path: string): Record<string, string> {
  const [pathname = '', search = ''] = path.split('?');
  const parts = pathname.split('/');
  const inPath = pattern.split('/').flatMap((part, index): [string, string][] => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name ? [[name, decodeURIComponent(parts[index] ?? '')]] : [];
  });
  return Object.fromEntries([...new URLSearchParams(search), ...inPath]);
}

/** A sample of an operation, as it was recorded. */
export function sampleOf({ path, parameters, request, examples }: ReferenceOperation): Sample {
  const [example] = examples;
  const recorded = example ? valuesIn(path, example.request.path) : {};
  const values = parameters.flatMap(({ name }): [string, string][] => {
    const found = recorded[name];
    return found === undefined ? [] : [[name, found]];
  });
  return { values: Object.fromEntries(values), body: request ? (example?.request.body ?? {}) : undefined };
}

/**
 * What one tries first: records of the demo season, and of a list the first few. What was recorded with other parameters finds nothing
 * elsewhere.
 */
export function firstSample(operation: ReferenceOperation): Sample {
  const { values: recorded, body } = sampleOf(operation);
  const variables = operation.calls[0]?.variables ?? {};
  const values = operation.parameters.flatMap(({ name, in: place, required, coordinate, schema }): [string, string][] => {
    if (name === 'page_size') return [[name, '10']];
    const known = operation.method === 'GET' ? seasonValueAt(coordinate) : undefined;
    // What has words of its own here is, in the season, the first of them.
    const written = known !== undefined && Array.isArray(schema.enum) ? schema.enum[0] : known;
    const found = place === 'path' || required ? (written ?? variables[name] ?? recorded[name]) : undefined;
    return typeof found === 'string' || typeof found === 'number' ? [[name, String(found)]] : [];
  });
  return { values: Object.fromEntries(values), body };
}

/** The text of a parameter as the value that it stands for. */
export function valueAt(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'boolean') return /^(true|1)$/i.test(text);
  return type === 'array' ? text.split(',') : text;
}

/** The path with its values, and the query. */
function addressOf({ path, parameters }: ReferenceOperation, { values }: Sample): string {
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) => (values[name] ? encodeURIComponent(values[name]) : whole));
  const query = new URLSearchParams(
    parameters.flatMap(({ in: place, name }) => (place === 'query' && values[name] ? [[name, values[name]]] : [])),
  );
  return query.size ? `${filled}?${query}` : filled;
}

const inShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A line for a shell, in which a variable holds the token. */
export function curlOf(operation: ReferenceOperation, sample: Sample, origin: string): string {
  const { auth, method } = operation;
  const header = auth === 'user' ? 'PB-USER-TOKEN: $PB_USER_TOKEN' : 'PB-API-TOKEN: $PB_API_TOKEN';
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${inShell(origin + addressOf(operation, sample))}`,
    // A variable of the shell is filled in between double quotes only.
    ...(auth === 'anyone' ? [] : [`-H "${header}"`]),
    ...(sample.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${inShell(JSON.stringify(sample.body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** A value as a literal of TypeScript: JSON whose keys have quotes only where they need them. */
const literal = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

/** The call of the client that the service's SDK has. */
export function typescriptOf({ auth, name, parameters }: ReferenceOperation, { values, body }: Sample, origin: string): string {
  const token = { platform: ', platformToken', either: ', platformToken', user: ', userToken', anyone: '' }[auth];
  const typed = parameters.flatMap(({ name, schema }): [string, unknown][] => {
    const text = values[name];
    return text === undefined ? [] : [[name, valueAt(text, schema)]];
  });
  const given = { ...Object.fromEntries(typed), ...(body === undefined ? {} : { body }) };
  const taken = Object.keys(given).length ? literal(given) : '';
  return `import { v1Client } from "courtside-sdk/v1";

const v1 = v1Client({ origin: ${JSON.stringify(origin)}${token} });

const answer = await v1.${name}(${taken});`;
}

/** What runs behind the operation, with its variables: a document for each way to call it. */
export const graphqlOf = ({ calls }: ReferenceOperation): string[] =>
  calls.map(({ when, document, variables }) =>
    [
      ...(when ? [`# ${when}`] : []),
      ...(Object.keys(variables).length ? [`# Variables: ${JSON.stringify(variables)}`] : []),
      document.trimEnd(),
    ].join('\n'),
  );
