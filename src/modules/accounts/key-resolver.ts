import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, ID, Info, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { allColumns, columnsWanted } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { createKey, revokeKey } from './keep-key.js';
import { PublishableKey } from './publishable-key.js';

@ObjectType({ description: 'A publishable key and its text, which is shown this once.' })
export class NewPublishableKey {
  @Field(() => PublishableKey, { description: 'The key.' })
  publishableKey!: RowOf<PublishableKey>;

  @Field(() => String, {
    description: 'Its text, which begins with `pk_`, for the header PB-API-TOKEN or, behind `Bearer`, for Authorization.',
  })
  key!: string;
}

@Resolver()
export class KeyResolver {
  @Mutation(() => NewPublishableKey, {
    description: 'Makes a publishable key, beside those there are. Super admins name the platform; a platform makes its own.',
  })
  @writes(PublishableKey)
  async createPublishableKey(
    @Arg('input', () => inputOf(PublishableKey), { description: 'Its values.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<NewPublishableKey> {
    const { row, key } = await createKey(context, input, allColumns(PublishableKey));
    return { publishableKey: row, key };
  }

  @Mutation(() => PublishableKey, {
    description:
      'Ends a publishable key at once, for good; done again it changes nothing. NOT_FOUND for an unknown id and for keys of other platforms.',
  })
  @writes(PublishableKey)
  revokePublishableKey(
    @Arg('id', () => ID, { description: 'Id of the key.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<PublishableKey>> {
    return revokeKey(context, id, columnsWanted(PublishableKey, info));
  }
}
