import type { Operation } from '../../../src/gateway/run.js';
import type { Data } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';

/** Runs an operation and gives its data; its errors are thrown in legacy names. */
export type RunOperation = (operation: Operation, variables: Data, request: LegacyRequest) => Promise<Data>;
