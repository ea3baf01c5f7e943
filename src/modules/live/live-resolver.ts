import { Ctx, Query, Resolver } from 'type-graphql';
import { changeCursor } from '../../kernel/changes/index.js';
import type { Context } from '../../kernel/declare/context.js';
import { allow, visitor } from '../../kernel/declare/policy/policy.js';

/** Query for the current position of the change log. */
@Resolver()
export class LiveResolver {
  @Query(() => String, {
    description:
      'Cursor of the latest change. Select it as the first field of a query. A subscription with this cursor as `after` then receives every change that the query result may not contain.',
  })
  @allow(visitor)
  async liveCursor(@Ctx() { services, sql, livePosition }: Context): Promise<string> {
    // Replicas may lag behind the cursor.
    sql.usePrimary();
    return changeCursor(livePosition ?? (await services.changes.currentPosition()));
  }
}
