import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, ID, Info, InputType, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { reject } from '../../kernel/declare/errors.js';
import { heldBy } from '../../kernel/declare/input-rules.js';
import { allOf } from '../../kernel/declare/problems.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { Instant } from '../../kernel/declare/scalars.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { asSignedOn } from './sees-private.js';
import { User } from './user.js';

@ObjectType({ description: 'A token that was just given to a user; it is shown this once.' })
export class SignOn {
  @Field(() => String, { description: 'The token, for the header PB-USER-TOKEN or, behind `Bearer`, for Authorization.' })
  token!: string;

  @Field(() => Instant, { description: 'When it ends.' })
  expiresAt!: string;

  @Field(() => User, { nullable: true, description: 'The user whose token it is.' })
  user?: User;

  userId!: string;
}

@Resolver(() => SignOn)
export class SignOnUser {
  @FieldResolver(() => User, { nullable: true, description: 'The user whose token it is.' })
  async user(
    @Root() { userId }: SignOn,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    const row = await loaders.one(User, columnsWanted(User, info), userId);
    return row && asSignedOn(row);
  }
}

@ObjectType({ description: 'The end of a token.' })
export class SignOut {
  @Field(() => Instant, { description: 'When it ended.' })
  expiresAt!: string;
}

@ObjectType({ description: 'A token that is dead.' })
export class RevokedToken {
  @Field(() => Instant, { nullable: true, description: 'When it ended; null where it was dead already, or never there.' })
  endedAt!: string | null;
}

@ObjectType({ description: 'A token that signs its user in once, at another platform.' })
export class OneTimeToken {
  @Field(() => String, { description: 'The token; it is shown this once.' })
  token!: string;

  @Field(() => Instant, { description: 'When it ends.' })
  expiresAt!: string;
}

@InputType({ description: 'E-mail address and password, and what the device tells of itself.' })
export class LoginInput {
  @Field(() => String, { description: 'E-mail address, in any case.' })
  email!: string;

  @Field(() => String, { description: 'Password.' })
  password!: string;

  @Field(() => String, { nullable: true, description: 'Name of the browser or the app.' })
  browser?: string | null;

  @Field(() => String, { nullable: true, description: 'Version of the browser or the app.' })
  browserVersion?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Network address of the device, as the server of a platform knows it; with a publishable key it is ignored.',
  })
  ipAddress?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the device is a phone or tablet.' })
  isMobile?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Name of the device.' })
  machineName?: string | null;
}

/** Names all that is wrong with the token itself. */
export function checkPlacedToken({ token, expiresAt }: Partial<PlaceTokenInput>, path: string): void {
  allOf(
    () => token === undefined || /^[!-~]{20,500}$/.test(token) || reject(`${path}token`, '20 to 500 visible ASCII characters'),
    () => !expiresAt || Date.parse(expiresAt) > Date.now() || reject(`${path}expiresAt`, 'a moment that is ahead'),
  );
}

@heldBy(checkPlacedToken)
@InputType({ description: 'A token that a platform has issued to a user itself.' })
export class PlaceTokenInput {
  @Field(() => String, { description: 'The token: 20 to 500 visible ASCII characters.' })
  token!: string;

  @Field(() => String, { nullable: true, description: 'E-mail address of the user, where `userId` is not given.' })
  email?: string | null;

  @Field(() => ID, { nullable: true, description: 'Id of the user.' })
  userId?: string | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'When it ends; a later end than 366 days ahead becomes 366 days. 30 days ahead if absent.',
  })
  expiresAt?: string | null;
}
