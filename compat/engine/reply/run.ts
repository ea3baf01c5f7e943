import type { Operation } from '../../../src/graphql/run.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';

/** Runs an operation and returns its data. Throws its errors with legacy names. */
export type RunOperation = (operation: Operation, variables: Data, request: LegacyRequest) => Promise<Data>;
