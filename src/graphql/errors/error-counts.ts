import type { GraphQLFormattedError } from 'graphql';
import { statuses } from '../../kernel/declare/errors.js';
import { Counts } from '../../kernel/monitoring/counts.js';

/** Number of errors in GraphQL responses and events, by code. Excludes `/v1`, whose errors are counted by their status. */
export const errorCounts = new Counts(Object.keys(statuses));

export function countErrors(errors: readonly Pick<GraphQLFormattedError, 'extensions'>[] = []): void {
  for (const { extensions } of errors) errorCounts.add(typeof extensions?.code === 'string' ? extensions.code : 'INTERNAL');
}
