import { GraphQLError } from 'graphql';
import type { Context } from '../../kernel/declare/context.js';
import { onBehalfOf } from '../../kernel/declare/on-behalf-of.js';
import { staff } from '../../kernel/declare/writers.js';

/** Error about a partner who cannot play with the user. It reveals data of the partner, such as entries or gender. */
class RefusedPartner extends GraphQLError {}

/** Throws an error that counts against the limit of refused partners. */
export function refusePartner({ message, extensions }: GraphQLError): never {
  throw new RefusedPartner(message, { extensions });
}

/**
 * Runs `work`, which may call `refusePartner`. RATE_LIMITED if too many partners of the signed-in user were refused, because these errors reveal who
 * plays. Other outcomes do not count. Platforms and admins have no limit.
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
