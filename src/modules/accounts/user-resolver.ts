import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, Field, FieldResolver, ID, Info, Mutation, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { folded } from '../../kernel/declare/email.js';
import { fail } from '../../kernel/declare/errors.js';
import type { Values } from '../../kernel/declare/options.js';
import { allow, anyone, platform, superAdmin, user, visitor } from '../../kernel/declare/policy.js';
import { needs } from '../../kernel/declare/record.js';
import type { RowOf } from '../../kernel/declare/row-of.js';
import { writes } from '../../kernel/declare/writes.js';
import { columnsWanted } from '../../kernel/read/select.js';
import { ifVersionArg } from '../../kernel/serve/if-version.js';
import { inputOf } from '../../kernel/write/input.js';
import { Role } from '../reference/role.js';
import { limitsOf } from './limits.js';
import { maskedPhone } from './phone.js';
import { isPublicPlayer, isVisitor } from './public-players-sql.js';
import { changeRoles, rolesOf } from './roles.js';
import { saveUser, updateProfile } from './save-user.js';
import { seesPrivate } from './sees-private.js';
import { User } from './user.js';

@ObjectType({ description: 'What is told of an e-mail address that is in use.' })
export class EmailLookup {
  @Field(() => Boolean, { description: 'The address is in use.' })
  isValid!: boolean;

  @Field(() => String, { description: 'Phone number of the user, all but the last four digits starred; empty without one.' })
  maskedPhone!: string;
}

const signedIn = ({ caller }: Context): string => caller.user?.id ?? fail('UNAUTHENTICATED', 'a user token is needed');

@Resolver()
export class UserResolver {
  @Query(() => User, { nullable: true, description: 'The signed-in user; null without a user token.' })
  @allow(anyone)
  viewer(@Ctx() { caller, loaders }: Context, @Info() info: GraphQLResolveInfo): Promise<RowOf<User> | null> | null {
    return caller.user && loaders.one(User, columnsWanted(User, info), caller.user.id);
  }

  @Query(() => Boolean, { description: 'Whether the signed-in user is an admin: a super admin, or one with the role ADMIN.' })
  @allow(platform, user)
  isAdminAuthorized(@Ctx() { caller }: Context): boolean {
    return caller.user !== null && (caller.user.isSuperAdmin || caller.user.roles.has('ADMIN'));
  }

  @Query(() => User, { nullable: true, description: 'The user with that e-mail address, in any case; null when there is none.' })
  @allow(platform, superAdmin)
  userByEmail(
    @Arg('email', () => String, { description: 'E-mail address.' }) email: string,
    @Ctx() { loaders }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    return loaders.one(User, columnsWanted(User, info), folded(email), 'email');
  }

  @Query(() => User, {
    nullable: true,
    description:
      'A user by slug. Null if not found. Callers with only a publishable key also get null unless public ranking points, teams or entries name the user.',
  })
  @allow(visitor)
  async userBySlug(
    @Arg('slug', () => String, { description: 'Slug of the user, such as `ana-lopez`.' }) slug: string,
    @Ctx() { loaders, sql }: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User> | null> {
    const user = await loaders.one(User, [...columnsWanted(User, info), 'id'], slug, 'slug');
    return user && (await isPublicPlayer(sql, String(user.id))) ? user : null;
  }

  @Query(() => EmailLookup, {
    nullable: true,
    description:
      'Whether an e-mail address is in use; null when it is not. At most 60 times a minute for a user, and 600 for a platform.',
  })
  @allow(platform, user)
  async emailLookup(
    @Arg('email', () => String, { description: 'E-mail address, in any case.' }) email: string,
    @Ctx() context: Context,
  ): Promise<EmailLookup | null> {
    const { caller, sql } = context;
    const limits = limitsOf(context);
    await (caller.platform
      ? limits.take('platform.lookups', caller.platform.id)
      : limits.take('key.lookups', `user ${caller.user?.id}`));
    const found = await sql.first(sql.db.selectFrom('app_user').select('phone').where('email', '=', folded(email)));
    return found && { isValid: true, maskedPhone: maskedPhone(found.phone) };
  }

  @Mutation(() => User, {
    description:
      "Saves a user. With a user token it is always the caller's own record, whatever the roles: BAD_INPUT where the input names another. A platform creates or updates any. Values are kept as they are sent: `updateProfile` looks at them.",
  })
  @writes(User)
  upsertUser(
    @Arg('input', () => inputOf(User), { description: 'Its values.' }) input: Values,
    @ifVersionArg() ifVersion: number | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return saveUser(context, input, columnsWanted(User, info), ifVersion);
  }

  @Mutation(() => User, {
    description:
      'Changes the fields given of the signed-in user. A new e-mail address has to be confirmed by the mail that it gets. BAD_INPUT for a phone number that nobody can call, a country or state that there is not, a state of another country, and a date of birth before 1900 or ahead.',
  })
  @allow(user)
  updateProfile(
    @Arg('input', () => inputOf(User), { description: 'Its values.' }) input: Values,
    @ifVersionArg() ifVersion: number | null,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return updateProfile(context, signedIn(context), input, columnsWanted(User, info), ifVersion);
  }

  @Mutation(() => User, { description: 'Gives a user a role, which includes those that it inherits.' })
  @allow(superAdmin)
  grantRole(
    @Arg('userId', () => ID, { description: 'The user.' }) userId: string,
    @Arg('roleId', () => ID, { description: 'The role.' }) roleId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return changeRoles(context, userId, roleId, 'grant', columnsWanted(User, info));
  }

  @Mutation(() => User, { description: 'Takes a role from a user.' })
  @allow(superAdmin)
  revokeRole(
    @Arg('userId', () => ID, { description: 'The user.' }) userId: string,
    @Arg('roleId', () => ID, { description: 'The role.' }) roleId: string,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<User>> {
    return changeRoles(context, userId, roleId, 'revoke', columnsWanted(User, info));
  }
}

@Resolver(() => User)
export class UserFields {
  @FieldResolver()
  @needs('imageUrl', 'approvedImageUrl')
  imageUrl(
    @Root() { imageUrl, approvedImageUrl }: Pick<User, 'imageUrl' | 'approvedImageUrl'>,
    @Ctx() { caller }: Context,
  ): string | null {
    return isVisitor(caller) ? approvedImageUrl : imageUrl;
  }

  @FieldResolver(() => Boolean, {
    description:
      'The profile is complete: names, category of play, date of birth and country are known. False for callers with only a publishable key.',
  })
  @needs('firstName', 'lastName', 'gender', 'dateOfBirth', 'countryId')
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
    description: 'Roles held, inherited ones included; shown to platforms, super admins and the user, null to others.',
  })
  @needs('id')
  roles(
    @Root() user: Pick<User, 'id'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<RowOf<Role>[]> | null {
    return seesPrivate({ ...user }, context.caller) ? rolesOf(context, user.id, columnsWanted(Role, info)) : null;
  }
}
