import { GraphQLError } from 'graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { combineErrors } from '../../../kernel/declare/policy/refusals.js';
import { staffPolicies } from '../../../kernel/declare/policy/writers.js';

/** Error for refused partners. The error can reveal data about the partners, such as their entries and gender. */
class RefusedPartners extends GraphQLError {
  /** Number of refused partners. */
  readonly count: number;

  constructor({ message, extensions }: GraphQLError, count: number) {
    super(message, { extensions });
    this.count = count;
  }
}

const refusedPartnersIn = (error: unknown): number => (error instanceof RefusedPartners ? error.count : 0);

/** Throws an error about a partner. The error counts toward the limit of refused partners. */
export function refusePartner(error: GraphQLError): never {
  throw new RefusedPartners(error, 1);
}

/** Combines the errors of several entries. Each refused partner counts toward the limit. */
export const combineEntryErrors = (errors: readonly GraphQLError[]): GraphQLError =>
  new RefusedPartners(
    combineErrors(errors),
    errors.reduce((count, error) => count + refusedPartnersIn(error), 0),
  );

/**
 * Runs a function that can call `refusePartner`. Throws RATE_LIMITED if too many partners of the signed-in user were refused, because such
 * errors reveal the players of events. Only refused partners count. Platforms and admins have no limit.
 */
export async function limitRefusedPartners<T>(context: Context, hasPartner: boolean, run: () => Promise<T>): Promise<T> {
  if (!hasPartner || staffPolicies().some((policy) => policy.permitsCaller(context.caller))) return run();
  const countOne = () => context.services.limit(context, 'user.partners', onBehalfOf(context, null));
  const undo = await countOne();
  try {
    const result = await run();
    await undo();
    return result;
  } catch (error) {
    const refusedCount = refusedPartnersIn(error);
    if (refusedCount === 0) await undo();
    for (let partnerIndex = 1; partnerIndex < refusedCount; partnerIndex++) await countOne();
    throw error;
  }
}
