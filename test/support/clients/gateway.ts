import { readFileSync } from 'node:fs';

export interface GatewayOperation {
  query: string;
  variables?: object | undefined;
  operationName?: string | undefined;
}

interface AnsweredError {
  message: string;
  path?: unknown;
  extensions: { code: string };
}

/** A response: its data, and the code, message and path of each error. */
export interface GatewayAnswer {
  status: number;
  data: unknown;
  errors: [code: string, message: string, path: unknown][];
}

export async function sendOperation(
  url: string,
  { query, variables = {}, operationName }: GatewayOperation,
  tokens: object,
): Promise<GatewayAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokens },
    body: JSON.stringify({ query, variables, operationName }),
  });
  const { data, errors = [] } = await response.json();
  return {
    status: response.status,
    data: data ?? null,
    errors: errors.map(({ message, path, extensions }: AnsweredError) => [extensions.code, message, path]),
  };
}

/**
 * Like `ask`, but each distinct code and message occurs once and without path. For operations with the same selections in another
 * order, and for engines that report an error once although two aliases cause the same null.
 */
export async function askForDistinctErrors(...parameters: Parameters<typeof sendOperation>) {
  const { status, data, errors } = await sendOperation(...parameters);
  return { status, data, errors: [...new Set(errors.map(([code, message]) => `${code}: ${message}`))].sort() };
}

/** Documented deviations of engines: the rows of the table in docs/federation.md, as `engine: operation`. */
export const exceptions: ReadonlySet<string> = new Set(
  [...readFileSync('docs/federation.md', 'utf8').matchAll(/^\| ((?:hive|hive-js|apollo)(?:, [a-z-]+)*) \| ([^|]+) \|/gm)].flatMap(
    ([, engines = '', operation = '']) => engines.split(', ').map((engine) => `${engine}: ${operation.trim()}`),
  ),
);
