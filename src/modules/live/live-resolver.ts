import { Ctx, Query, Resolver } from 'type-graphql';
import { changeCursor } from '../../kernel/changes/index.js';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy.js';

/** Where the log of changes is now. */
@Resolver()
export class LiveResolver {
  @Query(() => String, {
    description:
      'A cursor of the changes up to now: asked for as the first field of an operation, before what is to be shown, and given to a subscription as `after`, it has that one tell everything that came after.',
  })
  @allow(visitor)
  async liveCursor(@Ctx() { services, sql, livePosition }: Context): Promise<string> {
    // Replicas may not have yet what stands before it.
    sql.writes();
    return changeCursor(livePosition ?? (await services.changes.here()));
  }
}
