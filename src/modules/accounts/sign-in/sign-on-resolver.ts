import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/declare/context.js';
import { fail } from '../../../kernel/declare/errors.js';
import { allow, platform, publishableKeyHolder, user } from '../../../kernel/declare/policy/policy.js';
import { issueValue, tryUseValue } from '../tokens/one-time-values.js';
import { placeToken } from '../tokens/place-token.js';
import { type IssuedToken, issueToken, lockSession, revokeToken, rotateToken } from '../tokens/tokens.js';
import { credentialsOf, signedInUserId, throwNotSignedIn } from './credentials.js';
import { oneTimeTokenDevice } from './elevated.js';
import { signIn } from './sign-in.js';
import { LoginInput, OneTimeToken, PlaceTokenInput, RevokedToken, SignOn, SignOut } from './sign-on-values.js';

const tokenDescription = 'User token. Defaults to the token in the header PB-USER-TOKEN or Authorization.';

/** Returns the token from the argument, or else from the headers. Throws UNAUTHENTICATED if both are missing. */
const requireToken = ({ client }: Context, token: string | null | undefined): string =>
  token || credentialsOf(client.header).userToken || throwNotSignedIn();

/**
 * Returns the IP address of the device. Platforms send it in the input. For pages and apps, it is the address of the connection, which
 * clients cannot forge.
 */
const deviceAddressOf = ({ caller, client }: Context, { ipAddress }: LoginInput) => (caller.key ? client.address : ipAddress);

const describeDevice = (context: Context, input: LoginInput): string =>
  [input.browser, input.browserVersion, input.isMobile ? 'mobile' : '', deviceAddressOf(context, input), input.machineName]
    .flatMap((part) => (part ? [part.slice(0, 200)] : []))
    .join(', ');

@Resolver()
export class SignOnResolver {
  @Mutation(() => SignOn, {
    description:
      'Signs a user in. Returns a token that is valid for 30 days. INVALID_CREDENTIALS: the email address or the password is wrong. NOT_VERIFIED: the email address is not verified yet. FORBIDDEN: the account is locked. RATE_LIMITED: too many failed attempts.',
  })
  @allow(platform, publishableKeyHolder)
  login(
    @Arg('input', () => LoginInput, { description: 'Credentials and device.' }) input: LoginInput,
    @Ctx() context: Context,
  ): Promise<IssuedToken> {
    return signIn(context, { ...input, device: describeDevice(context, input) });
  }

  @Mutation(() => SignOut, {
    description: 'Signs a user out by revoking the user token. UNAUTHENTICATED: the token is unknown, expired or revoked.',
  })
  @allow(platform, user)
  async logout(
    @Arg('token', () => String, { nullable: true, description: tokenDescription }) token: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<SignOut> {
    const revokedToken = await revokeToken(context, requireToken(context, token));
    return revokedToken
      ? { expiresAt: revokedToken.endedAt }
      : fail('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
  }

  @Mutation(() => SignOn, {
    description:
      'Replaces a valid user token with a new one and revokes the old one. BAD_INPUT: `email` or `userId` does not match the token, which stays valid.',
  })
  @allow(platform, user)
  refreshToken(
    @Arg('token', () => String, { nullable: true, description: tokenDescription }) token: string | null | undefined,
    @Arg('email', () => String, {
      nullable: true,
      description: "Email address of the token's user, case-insensitive. Not checked if absent or empty.",
    })
    email: string | null | undefined,
    @Arg('userId', () => ID, { nullable: true, description: "ID of the token's user. Not checked if absent or empty." })
    userId: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<IssuedToken> {
    return rotateToken(context, requireToken(context, token), { email, userId });
  }

  @Mutation(() => SignOn, {
    description:
      'Registers a user token that the platform has issued. FORBIDDEN: the user is locked, is a super admin or has a role other than USER.',
  })
  @allow(platform)
  placeToken(
    @Arg('input', () => PlaceTokenInput, { description: 'Token to register, and the user whom it will sign in.' })
    input: PlaceTokenInput,
    @Ctx() context: Context,
  ): Promise<IssuedToken> {
    return placeToken(context, input);
  }

  @Mutation(() => RevokedToken, { description: 'Revokes a user token. Idempotent.' })
  @allow(platform, user)
  async revokeToken(
    @Arg('token', () => String, { description: 'User token.' }) token: string,
    @Ctx() context: Context,
  ): Promise<RevokedToken> {
    const revokedToken = await revokeToken(context, token);
    return { endedAt: revokedToken?.endedAt ?? null };
  }

  @Mutation(() => OneTimeToken, {
    description:
      'Creates a one-time token for the signed-in user. Another platform can exchange it for a user token within five minutes.',
  })
  @allow(user)
  createOneTimeToken(@Ctx() context: Context): Promise<OneTimeToken> {
    const { sql } = context;
    const userId = signedInUserId(context);
    return sql.transaction(async () => {
      await lockSession(context, userId);
      const { value, expiresAt } = await issueValue(sql, 'signIn', userId, null);
      return { token: value, expiresAt };
    });
  }

  @Mutation(() => SignOn, {
    description: 'Exchanges a one-time token for a user token. UNAUTHENTICATED: the token is unknown, expired or used.',
  })
  @allow(platform)
  validateOneTimeToken(
    @Arg('token', () => String, { description: 'One-time token.' }) token: string,
    @Ctx() context: Context,
  ): Promise<IssuedToken> {
    return context.sql.transaction(async () => {
      const value = await tryUseValue(context.sql, 'signIn', token);
      return value
        ? issueToken(context, { userId: value.userId, device: oneTimeTokenDevice })
        : fail('UNAUTHENTICATED', 'the token is unknown, expired or used');
    });
  }
}
