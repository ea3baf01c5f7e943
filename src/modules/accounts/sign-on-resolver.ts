import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import { fail } from '../../kernel/declare/errors.js';
import { allow, platform, publishable, user } from '../../kernel/declare/policy.js';
import { credentialsOf } from './credentials.js';
import { byOneTimeToken } from './elevated.js';
import { issueValue, takeValue } from './one-time.js';
import { placeToken } from './place-token.js';
import { signIn } from './sign-in.js';
import { LoginInput, OneTimeToken, PlaceTokenInput, RevokedToken, SignOn, SignOut } from './sign-on-values.js';
import { endToken, type GivenToken, giveToken, rotateToken } from './tokens.js';

const tokenText = 'The token; without it, that of the header PB-USER-TOKEN or Authorization.';

/** The token that is meant: the one given, else the one that the request was made with. */
const meant = ({ client }: Context, token: string | null | undefined): string =>
  token || credentialsOf(client.header).userToken || fail('UNAUTHENTICATED', 'a user token is needed');

/** A platform's server tells the address of the device; what a page says of its own is not believed, and the connection is the device's. */
const addressOf = ({ caller, client }: Context, { ipAddress }: LoginInput) => (caller.key ? client.address : ipAddress);

const deviceOf = (context: Context, input: LoginInput): string =>
  [input.browser, input.browserVersion, input.isMobile ? 'mobile' : '', addressOf(context, input), input.machineName]
    .flatMap((part) => (part ? [part.slice(0, 200)] : []))
    .join(', ');

@Resolver()
export class SignOnResolver {
  @Mutation(() => SignOn, {
    description:
      'Signs a user in. INVALID_CREDENTIALS: wrong e-mail address or password; NOT_VERIFIED: right, but the address is not confirmed yet; RATE_LIMITED after repeated failures.',
  })
  @allow(platform, publishable)
  login(
    @Arg('input', () => LoginInput, { description: 'Who signs in.' }) input: LoginInput,
    @Ctx() context: Context,
  ): Promise<GivenToken> {
    return signIn(context, { ...input, device: deviceOf(context, input) });
  }

  @Mutation(() => SignOut, { description: 'Signs a user out: the token dies.' })
  @allow(platform, user)
  async logout(
    @Arg('token', () => String, { nullable: true, description: tokenText }) token: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<SignOut> {
    const ended = await endToken(context, meant(context, token));
    return ended ? { expiresAt: ended.endedAt } : fail('UNAUTHENTICATED', 'the token is unknown, expired or revoked');
  }

  @Mutation(() => SignOn, {
    description:
      'Gives a new token for a living one, which dies at once. BAD_INPUT when `email` or `userId` contradict the token, which then stays as it is.',
  })
  @allow(platform, user)
  refreshToken(
    @Arg('token', () => String, { nullable: true, description: tokenText }) token: string | null | undefined,
    @Arg('email', () => String, {
      nullable: true,
      description: 'Address of its user, in any case; not compared if absent or empty.',
    })
    email: string | null | undefined,
    @Arg('userId', () => ID, { nullable: true, description: 'Id of its user; not compared if absent or empty.' })
    userId: string | null | undefined,
    @Ctx() context: Context,
  ): Promise<GivenToken> {
    return rotateToken(context, meant(context, token), { email, userId });
  }

  @Mutation(() => SignOn, {
    description:
      'Registers a token that the platform has issued to a user itself. FORBIDDEN for super admins and for users with a role other than USER.',
  })
  @allow(platform)
  placeToken(
    @Arg('input', () => PlaceTokenInput, { description: 'The token and whose it is.' }) input: PlaceTokenInput,
    @Ctx() context: Context,
  ): Promise<GivenToken> {
    return placeToken(context, input);
  }

  @Mutation(() => RevokedToken, { description: 'Ends a token. Done again it changes nothing.' })
  @allow(platform, user)
  async revokeToken(
    @Arg('token', () => String, { description: 'The token.' }) token: string,
    @Ctx() context: Context,
  ): Promise<RevokedToken> {
    const ended = await endToken(context, token);
    return { endedAt: ended?.endedAt ?? null };
  }

  @Mutation(() => OneTimeToken, {
    description: 'Gives the signed-in user a token with which another platform signs them in, once, within five minutes.',
  })
  @allow(user)
  async createOneTimeToken(@Ctx() { sql, caller }: Context): Promise<OneTimeToken> {
    const { value, expiresAt } = await issueValue(
      sql,
      'signIn',
      caller.user?.id ?? fail('UNAUTHENTICATED', 'a user token is needed'),
      null,
    );
    return { token: value, expiresAt };
  }

  @Mutation(() => SignOn, {
    description: 'Takes a one-time token and gives its user a token; a second time it is UNAUTHENTICATED.',
  })
  @allow(platform)
  validateOneTimeToken(
    @Arg('token', () => String, { description: 'The one-time token.' }) token: string,
    @Ctx() context: Context,
  ): Promise<GivenToken> {
    return context.sql.transaction(async () => {
      const used = await takeValue(context.sql, 'signIn', token);
      return used
        ? giveToken(context, { userId: used.userId, device: byOneTimeToken })
        : fail('UNAUTHENTICATED', 'the token is unknown, expired or used');
    });
  }
}
