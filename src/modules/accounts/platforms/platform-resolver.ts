import type { GraphQLResolveInfo } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Int, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { alwaysFalse, expression, parameter } from '../../../kernel/declare/expression.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { allColumns, selectedColumns } from '../../../kernel/read/select.js';
import { relatedRecords } from '../../../kernel/serve/relations.js';
import { inputOf } from '../../../kernel/write/input.js';
import { User } from '../users/user.js';
import { Platform } from './platform.js';
import { createPlatform, endPreviousToken, renewToken, updatePlatform } from './save-platform.js';

@ObjectType({ description: 'Platform and its new token. The token is returned only once.' })
export class PlatformToken {
  @Field(() => Platform, { description: 'Platform.' })
  platform!: RowOf<Platform>;

  @Field(() => String, { description: 'Token to send in the header `PB-API-TOKEN`.' })
  token!: string;
}

@Resolver()
export class PlatformResolver {
  @Mutation(() => PlatformToken, { description: 'Creates a platform and its token.' })
  @allowWriters(Platform)
  createPlatform(
    @Arg('input', () => inputOf(Platform), { description: 'Fields to set on the platform. `title` is required.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<PlatformToken> {
    return createPlatform(context, input, visibleColumns);
  }

  @Mutation(() => PlatformToken, {
    description: 'Replaces the token of a platform. Both tokens are accepted until the previous one expires.',
  })
  @allowWriters(Platform)
  renewPlatformToken(
    @Arg('id', () => ID, { description: 'ID of the platform.' }) id: string,
    @Arg('hours', () => Int, {
      defaultValue: 0,
      description: 'Hours until the previous token expires, 0 to 720. With 0, it expires immediately.',
    })
    hours: number,
    @Ctx() context: Context,
  ): Promise<PlatformToken> {
    return renewToken(context, id, hours, visibleColumns);
  }

  @Mutation(() => Platform, { description: 'Invalidates the previous token of a platform immediately. Idempotent.' })
  @allowWriters(Platform)
  endPreviousPlatformToken(
    @Arg('id', () => ID, { description: 'ID of the platform.' }) id: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Platform>> {
    return endPreviousToken(context, id, selectedColumns(Platform, info));
  }

  @Mutation(() => Platform, {
    description: 'Updates a platform. Omitted fields keep their values. Tokens and keys of a disabled platform are rejected.',
  })
  @allowWriters(Platform)
  updatePlatform(
    @Arg('id', () => ID, { description: 'ID of the platform.' }) id: string,
    @Arg('input', () => inputOf(Platform), { description: 'Fields to set on the platform.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Platform>> {
    return updatePlatform(context, id, input, selectedColumns(Platform, info));
  }
}

const visibleColumns = [...allColumns(Platform), 'tokenHint'];

@Resolver(() => Platform)
export class PlatformFields {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'First four characters of the token, followed by `…`. Visible to platforms. Null for other callers.',
  })
  @readsColumns('tokenHint')
  maskedToken(@Root() { tokenHint }: Pick<Platform, 'tokenHint'>, @Ctx() { caller }: Context): string | null {
    return tokenHint && caller.platform ? `${tokenHint}…` : null;
  }

  @FieldResolver(() => [ID], {
    description: 'IDs of the users who joined through the platform. Visible to the platform itself. Empty for other callers.',
  })
  @readsColumns('id')
  userIds(@Root() { id }: Pick<Platform, 'id'>, @Ctx() { caller, sql, loaders }: Context): Promise<string[]> | string[] {
    if (caller.platform?.id !== id) return [];
    return loaders.batchLoader<string[]>('ids of users', async (ids) => {
      const rows = await sql.run(
        sql.db
          .selectFrom('app_user')
          .select(['platform_id as platformId', raw<string[]>`array_agg(id order by id)`.as('ids')])
          .where(raw<SqlBool>`platform_id = any(${ids})`)
          .groupBy('platform_id'),
      );
      const byPlatform = new Map(rows.map((row) => [row.platformId, row.ids]));
      return ids.map((platformId) => byPlatform.get(platformId) ?? []);
    })(id);
  }
}

/** Users who joined through a platform. Only the platform itself sees them. */
export const platformUsers = relatedRecords(
  Platform,
  'users',
  User,
  ({ platform }, row) =>
    platform ? expression`${row}.platform_id = ${row.key} and ${row.key} = ${parameter(platform.id)}` : alwaysFalse,
  'Users who joined through the platform. Visible to the platform itself. Empty for other callers.',
);
