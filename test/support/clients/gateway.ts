import { readFileSync } from 'node:fs';
import type { EngineName } from '../../../src/commands/supergraph/gateway/engines.js';
import type { Missing } from '../prerequisites.js';
import { missingTool } from './tools.js';

const missingApollo = missingTool('@apollo/gateway');

/** Returns the reason for skipping a test that needs the given engines, or null if all are installed. */
export const missingEngine = (...names: readonly EngineName[]): Missing | null =>
  names.includes('apollo') ? missingApollo : null;

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

/** Response of a gateway. Each error consists of its code, message and path. */
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
 * Like `sendOperation`, but returns each distinct pair of error code and message once, without its path. Use it if the order of errors can
 * differ, or if an engine reports an error only once although it affects two aliases.
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
