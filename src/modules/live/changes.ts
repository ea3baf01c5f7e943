import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, ID, Info, Resolver, Root } from 'type-graphql';
import type { Caller } from '../../kernel/declare/caller.js';
import type { Context } from '../../kernel/declare/context.js';
import { pathIn, reject } from '../../kernel/declare/errors.js';
import { findRecord, recordMetas } from '../../kernel/declare/meta.js';
import { Node } from '../../kernel/declare/node.js';
import type { RecordOptions } from '../../kernel/declare/options.js';
import { platform, superAdmin } from '../../kernel/declare/policy.js';
import { isShown } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { changeEvent, type EventSource } from '../../kernel/serve/change-types.js';
import { liveRoot } from '../../kernel/serve/live.js';
import { type NodeRow, subjectOf } from '../../kernel/serve/subjects.js';
import { Platform } from '../accounts/platform.js';
import { User } from '../accounts/user.js';

@changeEvent('RecordChange', 'A change of a record of any kind.')
class RecordChange {
  @Field(() => String, {
    nullable: true,
    description: 'The type of the record, such as `Tournament`; null where all has to be read anew.',
  })
  record!: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of the user who wrote; null where none did.' })
  userId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the platform that wrote, or by whose key a page did; null where none did.',
  })
  platformId!: string | null;
}

@Resolver(() => RecordChange)
class RecordOfChange {
  @FieldResolver(() => User, { nullable: true, description: 'The user who wrote; null where none did.' })
  user(
    @Root() { userId }: EventSource,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> | null {
    return userId === null ? null : loaders.one(User, columnsWanted(User, info), userId);
  }

  @FieldResolver(() => Platform, { nullable: true, description: 'The platform that wrote; null where none did.' })
  platform(
    @Root() { platformId }: EventSource,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Platform> | null> | null {
    return platformId === null ? null : loaders.one(Platform, columnsWanted(Platform, info), platformId);
  }

  @FieldResolver(() => Node, {
    nullable: true,
    description: 'The record as it is now; null where it is gone, and where all has to be read anew.',
  })
  async node(
    @Root() { change }: EventSource,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<NodeRow | null> {
    const cls = change && findRecord(change.record);
    return cls && change.kind !== 'DELETED' ? subjectOf(context, cls, change.id, info) : null;
  }
}

const mayList = ({ read, readList = read }: RecordOptions, caller: Caller): boolean =>
  [read, readList].every((policies) => policies.some((policy) => policy.maybe(caller)));

/** Names of the records that a caller may subscribe to: logged records that the caller may list. */
export const followable = (caller: Caller): string[] =>
  recordMetas()
    .filter(({ options }) => options && isShown(options) && !options.unlogged && mayList(options, caller))
    .map(({ name }) => name)
    .sort();

/** Every change, for platforms that keep a copy of what is here. */
const liveChanges = liveRoot<{ records?: readonly string[] | null }>({
  name: 'changes',
  type: () => RecordChange,
  description:
    'Changes of all records, or of some kinds, for platforms that keep a copy of what is here, each that the caller may read.',
  policies: [platform, superAdmin],
  args: {
    records: {
      type: () => [String],
      description: 'Only changes of records of these types, at least one, such as `["Tournament", "Team"]`; all by default.',
    },
  },
  topics: ({ records }, { caller }) => {
    const all = followable(caller);
    if (records?.length === 0) reject('records', 'at least one type of a record, or none at all for all of them');
    for (const [index, name] of (records ?? []).entries())
      if (!all.includes(name))
        reject(pathIn('records', index), `the type of a record that the caller may read: ${all.join(', ')}`);
    return records ?? all;
  },
});

export const liveOfRecords = [liveChanges, RecordOfChange];
