import type { JsonSchema } from '../engine/bind/json.js';
import { demoValueAt } from './demo-values.js';
import type { ReferenceOperation } from './operation.js';

/** An example request. */
export interface Sample {
  /** Parameter values, keyed by parameter name. */
  readonly values: Readonly<Record<string, string>>;
  /** Example of the request body. Undefined if the operation has no request body. */
  readonly body: unknown;
}

/** Returns the values of path parameters such as `{uuid}`. */
export function pathValues(pattern: string, path: string): Record<string, string> {
  const segments = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, index): [string, string][] => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      return name ? [[name, decodeURIComponent(segments[index] ?? '')]] : [];
    }),
  );
}

/** Returns the values of path and query parameters in a recorded path. */
function recordedValuesOf(pattern: string, path: string): Record<string, string> {
  const [pathname = '', search = ''] = path.split('?');
  return { ...Object.fromEntries(new URLSearchParams(search)), ...pathValues(pattern, pathname) };
}

/** Creates an example request from the first recorded example of an operation. */
export function sampleOf({ path, parameters, request, examples }: ReferenceOperation): Sample {
  const [example] = examples;
  const recordedValues = example ? recordedValuesOf(path, example.request.path) : {};
  const values = parameters.flatMap(({ name }): [string, string][] => {
    const value = recordedValues[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { values: Object.fromEntries(values), body: request ? (example?.request.body ?? {}) : undefined };
}

/**
 * Returns the example request that the reference shows first. It selects demo data, and the first 10 records of a list. Optional parameters
 * of recorded examples are omitted, because they match no demo data.
 */
export function firstSample(operation: ReferenceOperation): Sample {
  const { values: recorded, body } = sampleOf(operation);
  const variables = operation.calls[0]?.variables ?? {};
  const values = operation.parameters.flatMap(({ name, in: location, required, coordinate, schema }): [string, string][] => {
    if (name === 'page_size') return [[name, '10']];
    const demoValue = operation.method === 'GET' ? demoValueAt(coordinate) : undefined;
    // For a parameter with an enum, the first value replaces the demo value.
    const demoText = demoValue !== undefined && Array.isArray(schema.enum) ? schema.enum[0] : demoValue;
    const value = location === 'path' || required ? (demoText ?? variables[name] ?? recorded[name]) : undefined;
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [];
  });
  return { values: Object.fromEntries(values), body };
}

/** Converts the text of a parameter to the type of its schema. */
export function parameterValue(text: string, { type }: JsonSchema): unknown {
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'boolean') return /^(true|1)$/i.test(text);
  return type === 'array' ? text.split(',') : text;
}

/** Returns the path and query of a sample. */
function urlPathOf({ path, parameters }: ReferenceOperation, { values }: Sample): string {
  const urlPath = path.replace(/\{(\w+)\}/g, (whole, name: string) => (values[name] ? encodeURIComponent(values[name]) : whole));
  const query = new URLSearchParams(
    parameters.flatMap(({ in: location, name }) => (location === 'query' && values[name] ? [[name, values[name]]] : [])),
  );
  return query.size ? `${urlPath}?${query}` : urlPath;
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns a curl command. It reads the token from a shell variable. */
export function curlOf(operation: ReferenceOperation, sample: Sample, origin: string): string {
  const { auth, method } = operation;
  const header = auth === 'user' ? 'PB-USER-TOKEN: $PB_USER_TOKEN' : 'PB-API-TOKEN: $PB_API_TOKEN';
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoteForShell(origin + urlPathOf(operation, sample))}`,
    // Shells expand variables only in double quotes.
    ...(auth === 'anyone' ? [] : [`-H "${header}"`]),
    ...(sample.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(sample.body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** Returns a value as a TypeScript literal: JSON without unnecessary quotes around keys. */
const toLiteral = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

/** Returns TypeScript code that calls an operation with the SDK. */
export function typescriptOf({ auth, name, parameters }: ReferenceOperation, { values, body }: Sample, origin: string): string {
  const token = { platform: ', platformToken', platformOrUser: ', platformToken', user: ', userToken', anyone: '' }[auth];
  const parameterValues = parameters.flatMap(({ name, schema }): [string, unknown][] => {
    const text = values[name];
    return text === undefined ? [] : [[name, parameterValue(text, schema)]];
  });
  const callArguments = { ...Object.fromEntries(parameterValues), ...(body === undefined ? {} : { body }) };
  const argumentText = Object.keys(callArguments).length ? toLiteral(callArguments) : '';
  return `import { createV1Client } from "courtside-sdk/v1";

const v1 = createV1Client({ origin: ${JSON.stringify(origin)}${token} });

const result = await v1.${name}(${argumentText});`;
}

/** Returns the GraphQL documents of an operation, one per case. Their comments contain the case and the variables. */
export const graphqlOf = ({ calls }: ReferenceOperation): string[] =>
  calls.map(({ when, document, variables }) =>
    [
      ...(when ? [`# ${when}`] : []),
      ...(Object.keys(variables).length ? [`# Variables: ${JSON.stringify(variables)}`] : []),
      document.trimEnd(),
    ].join('\n'),
  );
