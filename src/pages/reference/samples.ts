import type { ReferenceOperation } from '../../../compat/reference/operation.js';
import type { ExampleTokens } from '../../gateway/examples/index.js';

/** Where the service is reached, and the tokens of the demo season, where it is. */
export interface Site {
  readonly origin: string;
  readonly tokens: ExampleTokens | null;
}

/** A request that one could send: values by the names of the parameters, and a body. */
export interface Sample {
  readonly values: Readonly<Record<string, string>>;
  /** Undefined where the operation takes none. */
  readonly body: unknown;
}

const tokenOf = { platform: 'PB-API-TOKEN', user: 'PB-USER-TOKEN' } as const;
type Asker = keyof typeof tokenOf;

/** Whose token a sample carries; null where none is needed. */
export const askerOf = ({ auth }: ReferenceOperation): Asker | null => {
  if (auth === 'anyone') return null;
  return auth === 'user' ? 'user' : 'platform';
};

/** What the example has at the parameters of the path: `/v1/data/teams/{uuid}`. */
function valuesIn(pattern: string, path: string): Record<string, string> {
  const [pathname = '', search = ''] = path.split('?');
  const parts = pathname.split('/');
  const inPath = pattern.split('/').flatMap((part, index): [string, string][] => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name ? [[name, decodeURIComponent(parts[index] ?? '')]] : [];
  });
  return Object.fromEntries([...new URLSearchParams(search), ...inPath]);
}

/** A sample of an operation: what was recorded, with records of the demo season where there are such. */
export function sampleOf({ path, parameters, request, examples, calls }: ReferenceOperation): Sample {
  const [example] = examples;
  const recorded = example ? valuesIn(path, example.request.path) : {};
  const variables = calls[0]?.variables ?? {};
  // What was recorded with other parameters finds nothing elsewhere, and without them a list is long.
  const values = parameters.flatMap(({ name, in: place, required }): [string, string][] => {
    if (name === 'page_size') return [[name, '10']];
    const found = place === 'path' || required ? (variables[name] ?? recorded[name]) : undefined;
    return typeof found === 'string' || typeof found === 'number' ? [[name, String(found)]] : [];
  });
  return { values: Object.fromEntries(values), body: request ? (example?.request.body ?? {}) : undefined };
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

/** A line for a shell. */
export function curlOf(operation: ReferenceOperation, sample: Sample, { origin, tokens }: Site): string {
  const asker = askerOf(operation);
  const header = asker && `${tokenOf[asker]}: ${tokens?.[asker] || `$${tokenOf[asker].replaceAll('-', '_')}`}`;
  return [
    `curl ${operation.method === 'GET' ? '' : `-X ${operation.method} `}${inShell(origin + addressOf(operation, sample))}`,
    // A variable of the shell is filled in between double quotes only.
    ...(header ? [`-H ${header.includes('$') ? `"${header}"` : inShell(header)}`] : []),
    ...(sample.body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${inShell(JSON.stringify(sample.body, null, 2))}`]),
  ].join(' \\\n  ');
}

/** A value as a literal of TypeScript: JSON whose keys have quotes only where they need them. */
const literal = (value: unknown): string => JSON.stringify(value, null, 2).replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:');

/** The call of the client that the service's SDK has. */
export function typescriptOf(operation: ReferenceOperation, { values, body }: Sample, { origin, tokens }: Site): string {
  const asker = askerOf(operation);
  const option = asker === 'user' ? 'userToken' : 'platformToken';
  const token = asker ? `, ${option}: ${tokens?.[asker] ? JSON.stringify(tokens[asker]) : option}` : '';
  const given = { ...values, ...(body === undefined ? {} : { body }) };
  const taken = Object.keys(given).length ? literal(given) : '';
  return `import { v1Client } from 'courtside-sdk/v1';

const v1 = v1Client({ origin: ${JSON.stringify(origin)}${token} });

const answer = await v1.${operation.name}(${taken});`;
}
