import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Field, FieldResolver, ID, Info, InputType, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import { validatedBy } from '../../../kernel/declare/input-rules.js';
import { runChecks } from '../../../kernel/declare/problems.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { Instant } from '../../../kernel/declare/scalars/scalars.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { User } from '../users/user.js';
import { markSignedIn } from '../users/user-rules.js';

@ObjectType({ description: 'New user token. It is returned only once.' })
export class SignOn {
  @Field(() => String, { description: 'User token. Send it in the header `PB-USER-TOKEN` or `Authorization: Bearer`.' })
  token!: string;

  @Field(() => Instant, { description: 'When the token expires.' })
  expiresAt!: string;

  @Field(() => User, { nullable: true, description: 'User that the token belongs to.' })
  user?: User;

  userId!: string;
}

@Resolver(() => SignOn)
export class SignOnUser {
  @FieldResolver(() => User, { nullable: true, description: 'User that the token belongs to.' })
  async user(
    @Root() { userId }: SignOn,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    const row = await loaders.loadRow(User, selectedColumns(User, info), userId);
    return row && markSignedIn(row);
  }
}

@ObjectType({ description: 'Result of a sign-out.' })
export class SignOut {
  @Field(() => Instant, { description: 'When the token was revoked.' })
  expiresAt!: string;
}

@ObjectType({ description: 'Result of revoking a user token.' })
export class RevokedToken {
  @Field(() => Instant, {
    nullable: true,
    description: 'When the token was revoked. Null if the token is unknown, or had already expired or been revoked.',
  })
  endedAt!: string | null;
}

@ObjectType({ description: 'One-time token, which another platform exchanges for a user token.' })
export class OneTimeToken {
  @Field(() => String, { description: 'One-time token. It is returned only once.' })
  token!: string;

  @Field(() => Instant, { description: 'When the token expires.' })
  expiresAt!: string;
}

@InputType({ description: 'Email address, password and description of the device.' })
export class LoginInput {
  @Field(() => String, { description: 'Email address, case-insensitive.' })
  email!: string;

  @Field(() => String, { description: 'Password.' })
  password!: string;

  @Field(() => String, { nullable: true, description: 'Name of the browser or the app.' })
  browser?: string | null;

  @Field(() => String, { nullable: true, description: 'Version of the browser or the app.' })
  browserVersion?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'IP address of the device. Only platforms can set it. With a publishable key, the address of the connection is used.',
  })
  ipAddress?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether the device is a phone or tablet.' })
  isMobile?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Name of the device.' })
  machineName?: string | null;
}

/** Rejects malformed tokens and expiration times in the past. */
export function checkPlacedToken({ token, expiresAt }: Partial<PlaceTokenInput>, path: string): void {
  runChecks(
    () => token === undefined || /^[!-~]{20,500}$/.test(token) || reject(`${path}token`, '20 to 500 visible ASCII characters'),
    () => !expiresAt || Date.parse(expiresAt) > Date.now() || reject(`${path}expiresAt`, 'a time in the future'),
  );
}

@validatedBy(checkPlacedToken)
@InputType({ description: 'User token that a platform has issued.' })
export class PlaceTokenInput {
  @Field(() => String, { description: 'User token: 20 to 500 visible ASCII characters.' })
  token!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Email address of the user. Required if `userId` is not set. If both are set, they must belong to the same user.',
  })
  email?: string | null;

  @Field(() => ID, { nullable: true, description: 'ID of the user. Required if `email` is not set.' })
  userId?: string | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'When the token expires. Default: 30 days from now. At most 366 days from now; later times are reduced to this maximum.',
  })
  expiresAt?: string | null;
}
