import { statuses } from '../../src/kernel/declare/errors.js';

/** What of an operation decides how it may refuse. */
export interface Refusing {
  readonly needsToken: boolean;
  readonly hasInput: boolean;
  readonly hasBody: boolean;
  readonly writes: boolean;
  /** It is about a record that may not be there. */
  readonly findsOne: boolean;
  /** What its summary and the graph say of it, in which some statuses and codes are named. */
  readonly said: string;
  /** Statuses with which it is known to have refused. */
  readonly recorded: readonly number[];
}

interface Refusal {
  readonly status: number;
  readonly meaning: string;
  readonly applies: (operation: Refusing) => boolean;
}

const isSaid = ({ said }: Refusing, code: keyof typeof statuses): boolean =>
  said.includes(code) || new RegExp(`\\b${statuses[code]}\\b`).test(said);

const always = () => true;

/** Every status of the closed table, with what it means here and of which operations it is. */
const refusals: readonly Refusal[] = [
  {
    status: statuses.BAD_INPUT,
    meaning: 'A value is wrong: `Message` names each field and what was expected of it, with `; ` between them.',
    applies: ({ hasInput }) => hasInput,
  },
  {
    status: statuses.UNAUTHENTICATED,
    meaning: 'No token was sent where one is needed, or one that is unknown, expired or revoked.',
    applies: always,
  },
  {
    status: statuses.FORBIDDEN,
    meaning: 'The token is of the wrong kind, or its user may not do that.',
    applies: ({ needsToken }) => needsToken,
  },
  {
    status: statuses.NOT_FOUND,
    meaning: 'There is no such record, or none that the caller sees.',
    applies: ({ findsOne }) => findsOne,
  },
  {
    status: statuses.CONFLICT,
    meaning: 'The state of the records forbids it, or the first request with that `Idempotency-Key` is still running.',
    applies: ({ writes }) => writes,
  },
  { status: statuses.GONE, meaning: 'The link or the code has expired.', applies: (each) => isSaid(each, 'GONE') },
  {
    status: statuses.NOT_VERIFIED,
    meaning: 'The e-mail address is not confirmed yet.',
    applies: (each) => isSaid(each, 'NOT_VERIFIED'),
  },
  { status: statuses.TOO_LARGE, meaning: 'The body has too many bytes.', applies: ({ hasBody }) => hasBody },
  {
    status: statuses.UNSUPPORTED_MEDIA_TYPE,
    meaning: 'The body has a content encoding other than gzip, deflate or br.',
    applies: ({ hasBody }) => hasBody,
  },
  {
    status: statuses.KEY_REUSED,
    meaning: 'The `Idempotency-Key` was sent with another request before.',
    applies: ({ writes }) => writes,
  },
  { status: statuses.RATE_LIMITED, meaning: 'Too many tries; `Retry-After` tells when to try again.', applies: always },
  { status: statuses.INTERNAL, meaning: 'A fault of the service, of which nothing is told.', applies: always },
  {
    status: statuses.UNAVAILABLE,
    meaning: 'The database cannot be reached or took too long; `Retry-After` tells when to try again.',
    applies: always,
  },
];

/** How an operation may refuse. */
export const errorsOf = (operation: Refusing): { status: number; meaning: string }[] =>
  refusals
    .filter(({ status, applies }) => applies(operation) || operation.recorded.includes(status))
    .map(({ status, meaning }) => ({ status, meaning }));
