import { GraphQLError } from 'graphql';
import type { Context } from '../../kernel/declare/context.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { staff } from '../../kernel/declare/writers.js';

/** Error for a partner who cannot play with the user. It depends on data about the partner, such as their entries and gender. */
class RefusedPartner extends GraphQLError {}

/** Throws an error about the partner, which counts against the limit of refused partners. */
export function refusePartner({ message, extensions }: GraphQLError): never {
  throw new RefusedPartner(message, { extensions });
}

/**
 * Runs `work`, which checks the partners of the signed-in user, if any. RATE_LIMITED if too many partners of the user were refused, because errors
 * about partners reveal who plays. Only refused partners count, and not those of platforms and admins.
 */
export async function limitPartners<T>(context: Context, hasPartner: boolean, work: () => Promise<T>): Promise<T> {
  if (!hasPartner || staff().some((policy) => policy.maybe(context.caller))) return work();
  const undo = await context.services.limit(context, 'user.partners', onBehalfOf(context, null));
  try {
    const result = await work();
    await undo();
    return result;
  } catch (error) {
    if (!(error instanceof RefusedPartner)) await undo();
    throw error;
  }
}
