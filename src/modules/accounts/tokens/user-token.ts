import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { currentTimestamp, expression, parameter } from '../../../kernel/declare/expression.js';
import { createdAt, id, instant, ref, text } from '../../../kernel/declare/fields/fields.js';
import { isAdministrator } from '../../../kernel/declare/policy/caller.js';
import { user } from '../../../kernel/declare/policy/policy.js';
import { noWriters } from '../../../kernel/declare/policy/writers.js';
import { readsColumns, record } from '../../../kernel/declare/record.js';
import { Platform } from '../platforms/platform.js';
import { credentialsOf } from '../sign-in/credentials.js';
import { User } from '../users/user.js';
import { hashOf } from './secrets.js';

@record(
  {
    table: 'user_token',
    changeLogColumns: ['userId'],
    one: 'session',
    many: 'sessions',
    read: [user],
    write: noWriters,
    person: { field: 'userId', deletesRows: true },
    audited: ['userId', 'expiresAt', 'revokedAt'],
    rootFields: ['many'],
    visibleCondition: (caller, row) =>
      isAdministrator(caller) ? null : expression`${row}.user_id = ${parameter(caller.user?.id ?? '')}`,
    listCondition: (_, row) => expression`${row}.revoked_at is null and ${row}.expires_at > ${currentTimestamp}`,
  },
  'Session of a signed-in user. Only the SHA-256 hash of its user token is stored. Lists contain the sessions that are neither ended nor expired. Users see their own sessions. Users with the role ADMIN see all.',
)
export class UserToken {
  @id('ID of the session.')
  id!: string;

  @text('SHA-256 hash of the token.', { secret: true, required: true, unique: true })
  tokenHash!: string;

  @ref(
    () => User,
    {
      one: 'user',
      many: 'sessions',
      manyDescription: 'Sessions of the user. Empty unless the caller is the user or has the role ADMIN.',
    },
    'User who is signed in.',
  )
  userId!: string | null;

  @ref(() => Platform, { one: 'platform' }, 'Platform whose token or key signed the user in. Null if unknown.', { index: false })
  platformId!: string | null;

  @instant('When the session expires.', { required: true })
  expiresAt!: string;

  @instant('When the session was ended. Null if it was not ended.')
  revokedAt!: string | null;

  @text(
    'Description of the device, as sent at sign-in. `placed` for tokens that a platform issued. `one-time token` for tokens that were exchanged for a one-time token.',
  )
  device!: string | null;

  @createdAt('When the user signed in, or when the token was last refreshed.')
  createdAt!: string;
}

@Resolver(() => UserToken)
export class UserTokenFields {
  @FieldResolver(() => Boolean, { description: 'Whether the request was sent with the token of the session.' })
  @readsColumns('tokenHash')
  isCurrent(@Root() { tokenHash }: Pick<UserToken, 'tokenHash'>, @Ctx() { client }: Context): boolean {
    const { userToken } = credentialsOf(client.header);
    return userToken !== undefined && hashOf(userToken) === tokenHash;
  }
}
