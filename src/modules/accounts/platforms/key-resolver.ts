import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { allColumns, selectedColumns } from '../../../kernel/read/select.js';
import { inputOf } from '../../../kernel/write/input.js';
import { PublishableKey } from './publishable-key.js';
import { createKey, revokeKey } from './save-key.js';

@ObjectType({ description: 'New publishable key. Its text is returned only once.' })
export class NewPublishableKey {
  @Field(() => PublishableKey, { description: 'The new key, without its text.' })
  publishableKey!: RowOf<PublishableKey>;

  @Field(() => String, {
    description: 'Text of the key, with the prefix `pk_`. Send it in the header `PB-API-TOKEN` or `Authorization: Bearer`.',
  })
  key!: string;
}

@Resolver()
export class KeyResolver {
  @Mutation(() => NewPublishableKey, {
    description:
      'Creates a publishable key. Existing keys stay active. Platforms create keys for themselves. Super admins specify `platformId`.',
  })
  @allowWriters(PublishableKey)
  async createPublishableKey(
    @Arg('input', () => inputOf(PublishableKey), { description: 'Fields to set on the key.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<NewPublishableKey> {
    const { row, key } = await createKey(context, input, allColumns(PublishableKey));
    return { publishableKey: row, key };
  }

  @Mutation(() => PublishableKey, {
    description: 'Revokes a publishable key permanently. Idempotent. NOT_FOUND: unknown ID, or a key of another platform.',
  })
  @allowWriters(PublishableKey)
  revokePublishableKey(
    @Arg('id', () => ID, { description: 'ID of the key.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<PublishableKey>> {
    return revokeKey(context, id, selectedColumns(PublishableKey, info));
  }
}
