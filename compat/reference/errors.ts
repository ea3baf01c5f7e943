import { statuses } from '../../src/kernel/declare/errors.js';

/** Properties of an operation that determine its error statuses. */
export interface ErrorFeatures {
  readonly needsToken: boolean;
  readonly hasInput: boolean;
  readonly hasBody: boolean;
  readonly isWrite: boolean;
  /** Whether the operation selects one record, which may not exist. */
  readonly isForOneRecord: boolean;
  /** Summary and GraphQL descriptions. They contain some error statuses and codes. */
  readonly descriptions: string;
  /** Statuses of the recorded examples. */
  readonly recordedStatuses: readonly number[];
}

interface ErrorStatus {
  readonly status: number;
  readonly meaning: string;
  readonly applies: (operation: ErrorFeatures) => boolean;
}

const isMentioned = ({ descriptions }: ErrorFeatures, code: keyof typeof statuses): boolean =>
  descriptions.includes(code) || new RegExp(`\\b${statuses[code]}\\b`).test(descriptions);

const always = () => true;

/** All error statuses, with their descriptions and the conditions of the operations that can return them. */
const errorStatuses: readonly ErrorStatus[] = [
  {
    status: statuses.BAD_INPUT,
    meaning: 'A value is invalid. `Message` contains the expected value of each invalid field, separated by `; `.',
    applies: ({ hasInput }) => hasInput,
  },
  {
    status: statuses.UNAUTHENTICATED,
    meaning: 'The token is missing, unknown, expired or revoked.',
    applies: always,
  },
  {
    status: statuses.FORBIDDEN,
    meaning: 'The token is of the wrong kind, or the user lacks the required permission.',
    applies: ({ needsToken }) => needsToken,
  },
  {
    status: statuses.NOT_FOUND,
    meaning: 'The record does not exist, or the caller may not see it.',
    applies: ({ isForOneRecord }) => isForOneRecord,
  },
  {
    status: statuses.CONFLICT,
    meaning:
      'The request conflicts with the state of a record, or the first request with this `Idempotency-Key` is still running.',
    applies: ({ isWrite }) => isWrite,
  },
  { status: statuses.GONE, meaning: 'The link or the code has expired.', applies: (operation) => isMentioned(operation, 'GONE') },
  {
    status: statuses.NOT_VERIFIED,
    meaning: 'The email address is not confirmed.',
    applies: (operation) => isMentioned(operation, 'NOT_VERIFIED'),
  },
  { status: statuses.TOO_LARGE, meaning: 'The request body is too large.', applies: ({ hasBody }) => hasBody },
  {
    status: statuses.UNSUPPORTED_MEDIA_TYPE,
    meaning: 'The content encoding of the request body is not gzip, deflate or br.',
    applies: ({ hasBody }) => hasBody,
  },
  {
    status: statuses.KEY_REUSED,
    meaning: 'The `Idempotency-Key` was already used for another request.',
    applies: ({ isWrite }) => isWrite,
  },
  { status: statuses.RATE_LIMITED, meaning: 'Too many requests. Retry after the time in `Retry-After`.', applies: always },
  { status: statuses.INTERNAL, meaning: 'Internal error. `Message` contains no details.', applies: always },
  {
    status: statuses.UNAVAILABLE,
    meaning: 'The database is unavailable or too slow. Retry after the time in `Retry-After`.',
    applies: always,
  },
];

/** Returns the error statuses of an operation with their descriptions. */
export const errorsOf = (operation: ErrorFeatures): { status: number; meaning: string }[] =>
  errorStatuses
    .filter(({ status, applies }) => applies(operation) || operation.recordedStatuses.includes(status))
    .map(({ status, meaning }) => ({ status, meaning }));
