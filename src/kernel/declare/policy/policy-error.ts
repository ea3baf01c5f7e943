import { GraphQLError } from 'graphql';

/** Credential that permits a call, for error messages. */
export interface Credential {
  /** Description as a noun phrase, such as `a platform token`. */
  readonly text: string;
  /** Role that the user must have. */
  readonly role?: string;
  /** Header that contains the credential. */
  readonly header: 'PB-API-TOKEN' | 'PB-USER-TOKEN';
}

export const platformTokenCredential: Credential = { text: 'a platform token', header: 'PB-API-TOKEN' };
export const publishableKeyCredential: Credential = { text: 'a publishable key', header: 'PB-API-TOKEN' };
/** Returns a user token as a credential. `owner` is a phrase that says whose token is required, such as `of a super admin`. */
export const userTokenCredential = (owner = ''): Credential => ({
  text: `a user token ${owner}`.trim(),
  header: 'PB-USER-TOKEN',
});
export const userTokenWithRole = (role: string): Credential => ({ ...userTokenCredential(), role });

/** Properties of a policy that error messages use. */
interface DeclaredPolicy {
  readonly name: string;
  readonly credentials: readonly Credential[];
  readonly role?: string;
}

/** Reason for refusing a caller. */
interface Reason {
  readonly policies: readonly DeclaredPolicy[];
  /** Whether the caller sent a valid token or key. */
  readonly hasToken: boolean;
  /** Whether the caller sent a valid user token. */
  readonly hasUser: boolean;
  /** Path of the argument that requires the permission, such as `filter.invoices`. */
  readonly field?: string;
}

/** Joins items with commas. The last separator is `last`: `a, b or c`. */
const joinItems = (items: readonly string[], last: string): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')}${last}${items.at(-1)}`;

/** Describes credentials, such as `a platform token, or a user token with the role ADMIN or REFEREE`. */
function describeCredentials(credentials: readonly Credential[], withHeaders: boolean): string {
  const roles = joinItems([...new Set(credentials.flatMap(({ role }) => role ?? []))], ' or ');
  const texts = credentials.map(({ text, role, header }) =>
    [text, ...(role ? [`with the role ${roles}`] : []), ...(withHeaders ? [`(header ${header})`] : [])].join(' '),
  );
  return joinItems([...new Set(texts)], ', or ');
}

const refusalText = (credentials: readonly Credential[]): string =>
  `Not allowed: requires ${describeCredentials(credentials, false)}`;

function describeRefusal({ policies, hasToken, hasUser }: Reason) {
  const credentials = policies.flatMap((policy) => policy.credentials);
  const permitsUsers = credentials.some(({ header }) => header === 'PB-USER-TOKEN');
  return !hasToken || (!hasUser && permitsUsers)
    ? { code: 'UNAUTHENTICATED', text: `Authentication required: send ${describeCredentials(credentials, true)}` }
    : { code: 'FORBIDDEN', text: refusalText(credentials) };
}

/**
 * Error for a caller that no policy permits. The code is UNAUTHENTICATED if the caller sent no token, or if a policy permits users and the
 * caller sent no user token. Otherwise, the code is FORBIDDEN.
 */
export class PolicyError extends GraphQLError {
  readonly reason: Reason;

  constructor(reason: Reason) {
    const { code, text } = describeRefusal(reason);
    const { field } = reason;
    super(field ? `${field}: ${text}` : text, { extensions: { code, ...(field && { field }) } });
    this.reason = reason;
  }
}

/** Throws FORBIDDEN with a message that names the required credentials. `/v1` returns the same message. */
export function failForbidden(...credentials: readonly Credential[]): never {
  throw new GraphQLError(refusalText(credentials), { extensions: { code: 'FORBIDDEN' } });
}

/** Returns the error itself or the error that it wraps, if it is a policy error. Null for other errors. */
export function policyErrorIn(error: unknown): PolicyError | null {
  if (error instanceof PolicyError) return error;
  return error instanceof GraphQLError && error.originalError ? policyErrorIn(error.originalError) : null;
}
