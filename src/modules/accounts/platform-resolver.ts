import type { GraphQLResolveInfo } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { Values } from '../../kernel/declare/options.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { allColumns, columnsWanted } from '../../kernel/read/select.js';
import { inputOf } from '../../kernel/write/input.js';
import { changePlatform, createPlatform, renewToken } from './keep-platform.js';
import { Platform } from './platform.js';

@ObjectType({ description: 'A platform and its token, which is shown this once.' })
export class PlatformToken {
  @Field(() => Platform, { description: 'The platform.' })
  platform!: RowOf<Platform>;

  @Field(() => String, { description: 'The token, for the header PB-API-TOKEN.' })
  token!: string;
}

@Resolver()
export class PlatformResolver {
  @Mutation(() => PlatformToken, { description: 'Registers a platform and gives its token.' })
  @writes(Platform)
  createPlatform(
    @Arg('input', () => inputOf(Platform), { description: 'Its values; the `title` is needed.' }) input: Values,
    @Ctx() context: Context,
  ): Promise<PlatformToken> {
    return createPlatform(context, input, shownColumns);
  }

  @Mutation(() => PlatformToken, { description: 'Gives a platform a new token; the old one dies at once.' })
  @writes(Platform)
  renewPlatformToken(
    @Arg('id', () => ID, { description: 'Id of the platform.' }) id: string,
    @Ctx() context: Context,
  ): Promise<PlatformToken> {
    return renewToken(context, id, shownColumns);
  }

  @Mutation(() => Platform, { description: 'Changes the fields given of a platform. One that is not enabled is refused.' })
  @writes(Platform)
  updatePlatform(
    @Arg('id', () => ID, { description: 'Id of the platform.' }) id: string,
    @Arg('input', () => inputOf(Platform), { description: 'Its values.' }) input: Values,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Platform>> {
    return changePlatform(context, id, input, columnsWanted(Platform, info));
  }
}

const shownColumns = [...allColumns(Platform), 'tokenHint'];

@Resolver(() => Platform)
export class PlatformFields {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The token, masked behind its first four characters; shown to platforms, null to others.',
  })
  @needs('tokenHint')
  maskedToken(@Root() { tokenHint }: Pick<Platform, 'tokenHint'>, @Ctx() { caller }: Context): string | null {
    return tokenHint && caller.platform ? `${tokenHint}…` : null;
  }

  @FieldResolver(() => [ID], { description: 'Ids of the users who came by it; shown to the platform itself, empty for others.' })
  @needs('id')
  userIds(@Root() { id }: Pick<Platform, 'id'>, @Ctx() { caller, sql, loaders }: Context): Promise<string[]> | string[] {
    if (caller.platform?.id !== id) return [];
    return loaders.batch<string[]>('ids of users', async (ids) => {
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
