import { readFileSync } from 'node:fs';

export interface Asked {
  query: string;
  variables?: object | undefined;
  operationName?: string | undefined;
}

interface ToldError {
  message: string;
  path?: unknown;
  extensions: { code: string };
}

/** What a client sees of an answer: data, and of the errors their code, message and place. */
export async function ask(url: string, { query, variables = {}, operationName }: Asked, tokens: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...tokens },
    body: JSON.stringify({ query, variables, operationName }),
  });
  const { data, errors = [] } = await response.json();
  return {
    status: response.status,
    data: data ?? null,
    errors: errors.map(({ message, path, extensions }: ToldError) => [extensions.code, message, path]),
  };
}

/** What engines do otherwise: the rows of the table in docs/federation.md, as `engine: operation`. */
export const exceptions: ReadonlySet<string> = new Set(
  [...readFileSync('docs/federation.md', 'utf8').matchAll(/^\| ((?:hive|hive-js|apollo)(?:, [a-z-]+)*) \| ([^|]+) \|/gm)].flatMap(
    ([, engines = '', operation = '']) => engines.split(', ').map((engine) => `${engine}: ${operation.trim()}`),
  ),
);
