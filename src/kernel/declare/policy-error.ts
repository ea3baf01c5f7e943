import { GraphQLError } from 'graphql';

/** The parts of a policy that an error message needs. */
interface DeclaredPolicy {
  readonly name: string;
  readonly rights: readonly string[];
  readonly role?: string;
}

/** Why a policy refused a caller. */
interface Reason {
  readonly policies: readonly DeclaredPolicy[];
  /** The caller sent a valid token or key. */
  readonly hasToken: boolean;
  /** The caller sent a valid user token. */
  readonly hasUser: boolean;
  /** Path of the refused argument, such as `filter.invoices`. */
  readonly field?: string;
}

/** Whether a policy permits at least some users. */
const permitsUsers = ({ rights }: DeclaredPolicy): boolean =>
  rights.some((right) => right !== 'platform' && right !== 'publishable');

function wordsOf({ policies, hasToken, hasUser }: Reason) {
  const names = policies.map(({ name }) => name).join(' or ');
  if (!hasToken) return { code: 'UNAUTHENTICATED', text: `a token is needed: ${names}` };
  if (!hasUser && policies.some(permitsUsers)) return { code: 'UNAUTHENTICATED', text: `a user token is needed: ${names}` };
  return { code: 'FORBIDDEN', text: `only for: ${names}` };
}

/** Error for a caller that no policy permits: UNAUTHENTICATED if another token could permit the call, FORBIDDEN otherwise. */
export class PolicyError extends GraphQLError {
  readonly reason: Reason;

  constructor(reason: Reason) {
    const { code, text } = wordsOf(reason);
    const { field } = reason;
    super(field ? `${field}: ${text}` : text, { extensions: { code, ...(field && { field }) } });
    this.reason = reason;
  }
}

/** Returns the policy error itself, or one that an executor wrapped in the error. Null for other errors. */
export function policyErrorIn(error: unknown): PolicyError | null {
  if (error instanceof PolicyError) return error;
  return error instanceof GraphQLError && error.originalError ? policyErrorIn(error.originalError) : null;
}
