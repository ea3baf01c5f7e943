import { statuses } from '../../src/kernel/declare/errors.js';

/** Properties of an operation that determine its error statuses. */
export interface ErrorFeatures {
  readonly needsToken: boolean;
  readonly hasInput: boolean;
  readonly hasBody: boolean;
  readonly isWrite: boolean;
  /** Whether the operation selects one record, which may not exist. */
  readonly isForOneRecord: boolean;
  /** Summary and GraphQL descriptions of the operation. They mention some error statuses and codes. */
  readonly descriptions: string;
  /** Statuses of the recorded examples. */
  readonly recordedStatuses: readonly number[];
}

type Condition = 'always' | 'isMentioned' | 'needsToken' | 'hasInput' | 'hasBody' | 'isWrite' | 'isForOneRecord';

/** All errors, each with its code, a condition for the operations that can return it, and its description. */
const errors: readonly (readonly [code: keyof typeof statuses, condition: Condition, meaning: string])[] = [
  [
    'BAD_INPUT',
    'hasInput',
    'A value is invalid. `Message` lists the invalid fields with their expected values, separated by `; `.',
  ],
  ['UNAUTHENTICATED', 'always', 'The token is missing, unknown, expired or revoked.'],
  ['FORBIDDEN', 'needsToken', 'The route does not accept this type of token, or the user lacks the required permission.'],
  ['NOT_FOUND', 'isForOneRecord', 'The record does not exist, or the caller may not see it.'],
  [
    'CONFLICT',
    'isWrite',
    'The request conflicts with the state of a record, or the first request with this `Idempotency-Key` is still running.',
  ],
  ['GONE', 'isMentioned', 'The link or code has expired.'],
  ['NOT_VERIFIED', 'isMentioned', 'The email address is not confirmed.'],
  ['TOO_LARGE', 'hasBody', 'The request body is too large.'],
  ['UNSUPPORTED_MEDIA_TYPE', 'hasBody', 'The request body has a content encoding other than gzip, deflate or br.'],
  ['KEY_REUSED', 'isWrite', 'The `Idempotency-Key` was already used for a different request.'],
  ['RATE_LIMITED', 'always', 'Too many requests. Retry after the number of seconds in `Retry-After`.'],
  ['INTERNAL', 'always', 'Internal error. `Message` contains no details.'],
  ['UNAVAILABLE', 'always', 'The database is unavailable or too slow. Retry after the number of seconds in `Retry-After`.'],
];

/** Whether the descriptions of an operation contain the code or the status of an error. */
const isMentioned = ({ descriptions }: ErrorFeatures, code: keyof typeof statuses): boolean =>
  descriptions.includes(code) || new RegExp(`\\b${statuses[code]}\\b`).test(descriptions);

/** Returns the error statuses of an operation with their descriptions. */
export const errorsOf = (operation: ErrorFeatures): { status: number; meaning: string }[] =>
  errors
    .map(([code, condition, meaning]) => {
      const applies =
        condition === 'always' || (condition === 'isMentioned' ? isMentioned(operation, code) : operation[condition]);
      return { status: statuses[code], meaning, applies };
    })
    .filter(({ status, applies }) => applies || operation.recordedStatuses.includes(status))
    .map(({ status, meaning }) => ({ status, meaning }));
