import { fail } from '../../src/kernel/declare/errors.js';
import {
  anyone,
  caller,
  combined,
  custom,
  either,
  empty,
  header,
  list,
  path,
  payload,
  platform,
  query,
  required,
  result,
  routes,
  under,
  user,
} from '../engine/index.js';
import * as records from '../records/accounts.js';

const email = required(payload.text('email'));
const customUrl = payload.text('custom_url');
/** Texts that clients send in place of a token when they have none (decision 53). */
const noToken = /^\s*(?:null|undefined)?\s*$/i;
const token = combined((sent) => (sent && !noToken.test(sent) ? sent : undefined), payload.text('token'));

/** Accounts: sign-on and public endpoints (section 4.20), users (decision 36) and two lookups (section 2.2). */
export const accountRoutes = routes({
  'GET /v1/data/lookup_platforms': {
    auth: either,
    run: '{ platforms { nodes { ...PlatformLookup } } }',
    reply: list(records.platformLookup, { total: null }),
    tag: true,
    summary: 'Platforms.',
  },
  'GET /v1/data/user-email-lookup/{email}': {
    auth: either,
    run: 'query ($email: String!) { emailLookup(email: $email) { isValid maskedPhone } }',
    reply: custom<{ isValid: boolean; maskedPhone: string } | null>(
      (found) => (found ? { body: { valid: found.isValid, masked_phone_number: found.maskedPhone } } : { status: 204 }),
      {
        answersNull: true,
        schema: {
          type: ['object', 'null'],
          properties: {
            valid: { type: 'boolean', description: 'Whether the address is in use.', 'x-graphql': 'EmailLookup.isValid' },
            masked_phone_number: {
              type: 'string',
              description: 'The phone number of its user, all but the last four digits as asterisks; empty without one.',
              'x-graphql': 'EmailLookup.maskedPhone',
            },
          },
          required: ['valid', 'masked_phone_number'],
          additionalProperties: false,
        },
      },
    ),
    summary:
      'Whether an e-mail address is in use; 204 when it is not. At most 600 times a minute for a platform, and 60 for a user.',
  },

  'POST /v1/pub/contactus': {
    auth: platform,
    args: { input: payload(records.contact) },
    run: 'mutation ($input: ContactInput!) { contact(input: $input) { isMailSent } }',
    reply: empty,
    summary: 'Sends a message to the operators.',
  },
  'POST /v1/sso/login': {
    auth: platform,
    args: {
      input: {
        email,
        password: required(payload.text('password')),
        browser: header('Browser'),
        browserVersion: header('BrowserVersion'),
        ipAddress: header('IpAddress'),
        isMobile: header.isTrue('IsMobile'),
        machineName: header('ServerMachineName'),
      },
    },
    run: 'mutation ($input: LoginInput!) { login(input: $input) { ...Login } }',
    reply: result(records.login),
    summary: 'Signs a user in: 401 wrong e-mail address or password, 412 not verified.',
  },
  // A token in the payload counts, whatever the token of the header.
  'POST /v1/sso/logout': {
    auth: either,
    actsForUser: false,
    args: { token },
    run: 'mutation ($token: String) { logout(token: $token) { ...Logout } }',
    reply: result(records.logout),
    summary: 'Ends a token: the one of the payload, else that of the header.',
  },
  'POST /v1/pub/request_forgot_password': {
    auth: platform,
    args: { email, channel: payload.oneOf('request_type', { email: 'EMAIL', sms: 'SMS' }), customUrl },
    run: 'mutation ($email: String!, $channel: ResetChannel, $customUrl: String) { requestPasswordReset(email: $email, channel: $channel, customUrl: $customUrl) { channel } }',
    reply: empty,
    summary: 'Sends the way to a new password, whether or not the address is known.',
  },
  'POST /v1/pub/forgot_password': {
    auth: platform,
    args: { value: required(payload.text('url')), password: required(payload.text('password')), email: payload.text('email') },
    run: 'mutation ($value: String!, $password: String!, $email: String) { resetPassword(value: $value, password: $password, email: $email) { id } }',
    reply: empty,
    summary: 'Chooses a new password with the random value of a link, or with a code.',
  },
  'GET /v1/sso/is_admin_authorized': {
    auth: either,
    run: '{ isAdminAuthorized }',
    reply: custom<boolean>((isAdminAuthorized) => ({ body: { result: { isAdminAuthorized } } }), {
      schema: {
        type: 'object',
        properties: {
          result: {
            type: 'object',
            description: 'What was found.',
            properties: {
              isAdminAuthorized: {
                type: 'boolean',
                description: 'Whether the signed-in user is an admin.',
                'x-graphql': 'Query.isAdminAuthorized',
              },
            },
            required: ['isAdminAuthorized'],
          },
        },
        required: ['result'],
      },
    }),
    summary: 'Whether the signed-in user is an admin.',
  },
  'POST /v1/pub/register_users': {
    auth: platform,
    args: { input: payload(records.registration) },
    run: 'mutation ($input: RegisterInput!) { register(input: $input) { ...MailReceipt } }',
    reply: under('response', records.mailReceipt),
    summary: 'Registers a person and mails a link that confirms the address.',
  },
  'GET /v1/pub/validate_email/{random_string}': {
    auth: anyone,
    args: { value: path('random_string') },
    run: 'mutation ($value: String!) { verifyEmail(value: $value) { id } }',
    reply: empty,
    summary: 'Confirms an address: 400 wrong link, 410 expired.',
  },
  'POST /v1/pub/resend_validation_email': {
    auth: platform,
    args: { email, customUrl },
    run: 'mutation ($email: String!, $customUrl: String) { resendVerification(email: $email, customUrl: $customUrl) { isMailSent } }',
    reply: empty,
    summary: 'Mails that link again, whether or not the address is known.',
  },
  'POST /sso_platform/token': {
    auth: platform,
    args: { input: payload(records.placedToken) },
    run: 'mutation ($input: PlaceTokenInput!) { placeToken(input: $input) { ...Token } }',
    reply: result(records.token),
    summary: 'Registers a token that the platform has issued to a user.',
  },
  'POST /v1/sso/refresh_token': {
    auth: either,
    actsForUser: false,
    args: { token, email: payload.text('email'), userId: payload.text('uuid') },
    run: 'mutation ($token: String, $email: String, $userId: ID) { refreshToken(token: $token, email: $email, userId: $userId) { ...Token } }',
    reply: result(records.token),
    summary: 'Gives a new token for the one of the payload, else that of the header: 400 when email or uuid contradict it.',
  },
  'POST /sso_platform/revoke_token': {
    auth: either,
    actsForUser: false,
    args: { token: required(token) },
    run: 'mutation ($token: String!) { revokeToken(token: $token) { endedAt } }',
    reply: empty,
    summary: 'Ends a token.',
  },
  'GET|POST /v1/sso/validate_token': {
    // A missing user token is 401 here, also beside a platform token.
    auth: anyone,
    takes: user,
    run: '{ viewer { id } }',
    reply: custom<object | null>((viewer) => (viewer ? { body: {} } : fail('UNAUTHENTICATED', 'the user token is missing')), {
      answersNull: true,
      schema: { type: 'object', additionalProperties: false },
    }),
    summary: 'Whether a user token is valid.',
  },
  'POST /sso_platform/validate_olttoken': {
    auth: platform,
    args: { token: required(token) },
    run: 'mutation ($token: String!) { validateOneTimeToken(token: $token) { ...Token } }',
    reply: result(records.token),
    summary: 'Takes a one-time token, once, and gives its user a token.',
  },
  'GET /v1/sso/validate_url/{token}': {
    auth: anyone,
    args: { email: query('email') },
    run: 'query ($token: String!, $email: String) { isLinkOpen(value: $token, email: $email) }',
    reply: empty,
    summary: 'Whether a link or code can be used still: 400 wrong, 410 expired.',
  },

  'GET /v1/users/{uuid}': {
    auth: either,
    run: 'query ($uuid: ID!) { user(id: $uuid) { ...User } }',
    reply: result(records.user),
    summary: 'A user.',
  },
  'POST /v1/users/upsert': {
    auth: either,
    // Whoever signs in says which record is meant (decision 36): the graph would refuse another id.
    args: { input: payload(records.user, { patch: true, set: { uuid: caller(({ user }) => user?.id) } }) },
    run: 'mutation ($input: UserInput!) { upsertUser(input: $input) { ...User } }',
    reply: result(records.user),
    summary: "Creates a user, or changes the fields that are sent; with a user token, the caller's own record.",
  },
});
