import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import type { Values } from '../../../kernel/declare/fields/options.js';
import { allow, anyone, platform, superAdmin, user, visitor } from '../../../kernel/declare/policy/policy.js';
import { allowWriters } from '../../../kernel/declare/policy/writes.js';
import { readsColumns } from '../../../kernel/declare/record.js';
import type { RowOf } from '../../../kernel/declare/row.js';
import { normalizeEmail } from '../../../kernel/declare/scalars/email.js';
import { selectedColumns } from '../../../kernel/read/select.js';
import { ifVersionArg } from '../../../kernel/serve/arguments.js';
import { inputOf } from '../../../kernel/write/input.js';
import { Role } from '../../reference/records/role.js';
import { limitsOf } from '../limits/limits.js';
import { signedInUserId } from '../sign-in/credentials.js';
import { maskPhone } from './phone.js';
import { isPublicPlayer, isVisitor } from './public-players-sql.js';
import { changeRoles, rolesOf } from './roles.js';
import { saveUser, updateProfile } from './save-user.js';
import { User } from './user.js';
import { canSeePrivate } from './user-rules.js';

@ObjectType({ description: 'Public data about an email address with an account.' })
export class EmailLookup {
  @Field(() => Boolean, { description: 'Whether an account has the address. Always true.' })
  isValid!: boolean;

  @Field(() => String, {
    description:
      'Phone number of the user, with `*` for all but the last four characters. Empty if the user has no phone number.',
  })
  maskedPhone!: string;
}

@Resolver()
export class UserResolver {
  @Query(() => User, { nullable: true, description: 'Signed-in user. Null if the request has no user token.' })
  @allow(anyone)
  viewer(@Ctx() { caller, loaders }: Context, @Info() info: GraphQLResolveInfo): Promise<RowOf<User> | null> | null {
    return caller.user && loaders.loadRow(User, selectedColumns(User, info), caller.user.id);
  }

  @Query(() => Boolean, { description: 'Whether the signed-in user is a super admin, or has the role ADMIN.' })
  @allow(platform, user)
  isAdminAuthorized(@Ctx() { caller }: Context): boolean {
    return caller.user !== null && (caller.user.isSuperAdmin || caller.user.roles.has('ADMIN'));
  }

  @Query(() => User, { nullable: true, description: 'User with the given email address, case-insensitive. Null if not found.' })
  @allow(platform, superAdmin)
  userByEmail(
    @Arg('email', () => String, { description: 'Email address.' }) email: string,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return loaders.loadRow(User, selectedColumns(User, info), normalizeEmail(email), 'email');
  }

  @Query(() => User, {
    nullable: true,
    description:
      'User with the given slug. Null if not found. Callers with only a publishable key also get null unless public ranking points, teams or entries refer to the user.',
  })
  @allow(visitor)
  async userBySlug(
    @Arg('slug', () => String, { description: 'Slug of the user, such as `ana-lopez`.' }) slug: string,
    @Ctx() { loaders, sql }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    const user = await loaders.loadRow(User, [...selectedColumns(User, info), 'id'], slug, 'slug');
    return user && (await isPublicPlayer(sql, String(user.id))) ? user : null;
  }

  @Query(() => EmailLookup, {
    nullable: true,
    description:
      'Checks whether an email address has an account. Null if it has no account. By default, users can send 60 lookups per minute, and platforms can send 600.',
  })
  @allow(platform, user)
  async emailLookup(
    @Arg('email', () => String, { description: 'Email address, case-insensitive.' }) email: string,
    @Ctx() context: Context,
  ): Promise<EmailLookup | null> {
    const { caller, sql } = context;
    const limits = limitsOf(context);
    await (caller.platform
      ? limits.consume('platform.lookups', caller.platform.id)
      : limits.consume('key.lookups', `user ${caller.user?.id}`));
    const user = await sql.first(sql.db.selectFrom('app_user').select('phone').where('email', '=', normalizeEmail(email)));
    return user && { isValid: true, maskedPhone: maskPhone(user.phone) };
  }

  @Mutation(() => User, {
    description:
      'Creates or updates a user. With a user token, callers can update only their own record, regardless of their roles. BAD_INPUT if the input contains the ID of another user. Platforms can create users and update any user except super admins. Unlike `updateProfile`, this mutation does not check phone numbers and dates of birth.',
  })
  @allowWriters(User)
  upsertUser(
    @Arg('input', () => inputOf(User), { description: 'Fields to set on the user.' }) input: Values,
    @ifVersionArg() ifVersion: number | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return saveUser(context, input, selectedColumns(User, info), ifVersion);
  }

  @Mutation(() => User, {
    description:
      'Updates the given fields of the signed-in user. A new email address takes effect once the user opens the link in the verification email. BAD_INPUT for an invalid phone number, an unknown country or state, or a state of another country. BAD_INPUT for a date of birth before 1900 or in the future.',
  })
  @allow(user)
  updateProfile(
    @Arg('input', () => inputOf(User), { description: 'Fields to set on the user.' }) input: Values,
    @ifVersionArg() ifVersion: number | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return updateProfile(context, signedInUserId(context), input, selectedColumns(User, info), ifVersion);
  }

  @Mutation(() => User, {
    description:
      "Grants a role to a user, including the roles that it inherits. Revokes the user's calendar links. CONFLICT if the user has not confirmed the email address and `email` does not match it.",
  })
  @allow(superAdmin)
  grantRole(
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Arg('roleId', () => ID, { description: 'ID of the role.' }) roleId: string,
    @Arg('email', () => String, {
      nullable: true,
      description:
        'Current email address of the user, which the caller repeats to confirm the choice of user. Required if the user has not confirmed this address, either because a platform changed it or because the user has never opened an emailed link. In that case, the password and tokens of the user are removed. The user must set a new password through a link sent by email. Ignored for the role USER.',
    })
    email: string | null | undefined,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return changeRoles(context, { userId, roleId, change: 'grant', email }, selectedColumns(User, info));
  }

  @Mutation(() => User, { description: 'Revokes a role from a user.' })
  @allow(superAdmin)
  revokeRole(
    @Arg('userId', () => ID, { description: 'ID of the user.' }) userId: string,
    @Arg('roleId', () => ID, { description: 'ID of the role.' }) roleId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return changeRoles(context, { userId, roleId, change: 'revoke' }, selectedColumns(User, info));
  }
}

@Resolver(() => User)
export class UserFields {
  @FieldResolver()
  @readsColumns('imageUrl', 'approvedImageUrl')
  imageUrl(
    @Root() { imageUrl, approvedImageUrl }: Pick<User, 'imageUrl' | 'approvedImageUrl'>,
    @Ctx() { caller }: Context,
  ): string | null {
    return isVisitor(caller) ? approvedImageUrl : imageUrl;
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the profile is complete: names, category of play, date of birth and country are set. False for callers with only a publishable key.',
  })
  @readsColumns('firstName', 'lastName', 'gender', 'dateOfBirth', 'countryId')
  isCompleted(
    @Root() {
      firstName,
      lastName,
      gender,
      dateOfBirth,
      countryId,
    }: Pick<User, 'firstName' | 'lastName' | 'gender' | 'dateOfBirth' | 'countryId'>,
    @Ctx() { caller }: Context,
  ): boolean {
    return !isVisitor(caller) && [firstName, lastName, gender, dateOfBirth, countryId].every(Boolean);
  }

  @FieldResolver(() => [Role], {
    nullable: true,
    description:
      'Direct and inherited roles of the user. Visible to platforms, super admins and the user. Null for other callers.',
  })
  @readsColumns('id')
  roles(
    @Root() user: Pick<User, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Role>[]> | null {
    return canSeePrivate({ ...user }, context.caller) ? rolesOf(context, user.id, selectedColumns(Role, info)) : null;
  }

  @FieldResolver(() => [Role], {
    nullable: true,
    description:
      'Roles that were granted to the user, without inherited roles. Visible to platforms, super admins and the user. Null for other callers.',
  })
  @readsColumns('id', 'roleIds')
  async grantedRoles(
    @Root() user: Pick<User, 'id' | 'roleIds'>,
    @Ctx() { caller, loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Role>[] | null> {
    if (!canSeePrivate({ ...user }, caller)) return null;
    const columns = selectedColumns(Role, info);
    const roles = await Promise.all(user.roleIds.map((id) => loaders.loadRow(Role, columns, id)));
    return roles.filter((role) => role !== null);
  }
}
