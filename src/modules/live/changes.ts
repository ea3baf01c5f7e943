import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, ID, Info, Query, Resolver, Root } from 'type-graphql';
import { changeCursor } from '../../kernel/changes/index.js';
import type { Context } from '../../kernel/declare/context.js';
import { pathIn, reject } from '../../kernel/declare/errors.js';
import type { RecordOptions } from '../../kernel/declare/fields/options.js';
import { findRecord, recordMetas } from '../../kernel/declare/meta.js';
import { Node } from '../../kernel/declare/node.js';
import type { Caller } from '../../kernel/declare/policy/caller.js';
import { administrators, allow, platform, visitor } from '../../kernel/declare/policy/policy.js';
import { isInSchema } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row.js';
import { selectedColumns } from '../../kernel/read/select.js';
import { changeEvent, type EventSource } from '../../kernel/serve/change-types.js';
import { subscriptionField } from '../../kernel/serve/live-events.js';
import { type NodeRow, readTypedRow } from '../../kernel/serve/nodes.js';
import { Platform } from '../accounts/platforms/platform.js';
import { User } from '../accounts/users/user.js';

@changeEvent('RecordChange', 'Change to a record of any type.')
class RecordChange {
  @Field(() => String, {
    nullable: true,
    description:
      'GraphQL type of the record, such as `Tournament`. Null for `CHANGES_MISSED`, after which the client must read all records again.',
  })
  record!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the user who made the change. Null if the change was not made by a user.',
  })
  userId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the platform whose token or publishable key was used for the change. Null if neither was used.',
  })
  platformId!: string | null;
}

@Resolver(() => RecordChange)
class RecordChangeFields {
  @FieldResolver(() => User, {
    nullable: true,
    description: 'User who made the change. Null if the change was not made by a user.',
  })
  user(
    @Root() { userId }: EventSource,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> | null {
    return userId === null ? null : loaders.loadRow(User, selectedColumns(User, info), userId);
  }

  @FieldResolver(() => Platform, {
    nullable: true,
    description: 'Platform whose token or publishable key was used for the change. Null if neither was used.',
  })
  platform(
    @Root() { platformId }: EventSource,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Platform> | null> | null {
    return platformId === null ? null : loaders.loadRow(Platform, selectedColumns(Platform, info), platformId);
  }

  @FieldResolver(() => Node, {
    nullable: true,
    description: 'Current state of the record. Null if it was deleted, and for `CHANGES_MISSED`.',
  })
  async node(
    @Root() { change }: EventSource,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NodeRow | null> {
    const cls = change && findRecord(change.record);
    return cls && change.kind !== 'DELETED' ? readTypedRow(context, cls, change.id, info) : null;
  }
}

/** Whether a caller can read a record by ID and in lists. */
const canList = ({ read, readList = read }: RecordOptions, caller: Caller): boolean =>
  [read, readList].every((policies) => policies.some((policy) => policy.permitsCaller(caller)));

/** Returns the names of the records that a caller can subscribe to: logged records that the caller can list. */
export const subscribableRecords = (caller: Caller): string[] =>
  recordMetas()
    .filter(({ options }) => options && isInSchema(options) && !options.unlogged && canList(options, caller))
    .map(({ name }) => name)
    .sort();

/** Subscription to all changes, for platforms that replicate the data. */
const liveChanges = subscriptionField<{ records?: readonly string[] | null }>({
  name: 'changes',
  type: () => RecordChange,
  description:
    'Changes to all records that the caller can read, or only of the given types. Intended for platforms that replicate the data.',
  policies: [platform, administrators],
  args: {
    records: {
      type: () => [String],
      description: 'Types of the records, at least one, such as `["Tournament", "Team"]`. Defaults to all types.',
    },
  },
  topics: ({ records }, { caller }) => {
    const allowedRecords = subscribableRecords(caller);
    if (records?.length === 0) reject('records', 'at least one record type, or null for all types');
    for (const [index, name] of (records ?? []).entries())
      if (!allowedRecords.includes(name))
        reject(pathIn('records', index), `a record type that the caller can read: ${allowedRecords.join(', ')}`);
    return records ?? allowedRecords;
  },
});

export const recordChangeResolvers = [liveChanges, RecordChangeFields];

/** Query for the current position of the change log. */
@Resolver()
export class LiveCursorResolver {
  @Query(() => String, {
    description:
      'Cursor of the latest change. Select it as the first field of a query. A subscription with this cursor as `after` receives every change that may be missing from the query result.',
  })
  @allow(visitor)
  async liveCursor(@Ctx() { services, sql, livePosition }: Context): Promise<string> {
    // Replicas may lag behind the cursor.
    sql.usePrimary();
    return changeCursor(livePosition ?? (await services.changes.currentPosition()));
  }
}
