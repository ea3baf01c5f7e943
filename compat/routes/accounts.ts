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
/** Values that clients send if they have no token (decision 53). */
const noToken = /^\s*(?:null|undefined)?\s*$/i;
const token = combined((text) => (text && !noToken.test(text) ? text : undefined), payload.text('token'));

/** Accounts: sign-on and public endpoints (section 4.20), users (decision 36) and two lookups (section 2.2). */
export const accountRoutes = routes({
  'GET /v1/data/lookup_platforms': {
    auth: either,
    run: '{ platforms { nodes { ...PlatformLookup } } }',
    reply: list(records.platformLookup, { total: null }),
    hasETag: true,
    summary: 'List platforms.',
  },
  'GET /v1/data/user-email-lookup/{email}': {
    auth: either,
    run: 'query ($email: String!) { emailLookup(email: $email) { isValid maskedPhone } }',
    reply: custom<{ isValid: boolean; maskedPhone: string } | null>(
      (account) => (account ? { body: { valid: account.isValid, masked_phone_number: account.maskedPhone } } : { status: 204 }),
      {
        answersNull: true,
        schema: {
          type: ['object', 'null'],
          properties: {
            valid: { type: 'boolean', description: 'Whether a user has this email address.', 'x-graphql': 'EmailLookup.isValid' },
            masked_phone_number: {
              type: 'string',
              description:
                'Phone number of the user, with asterisks instead of all but the last four digits. Empty without a phone number.',
              'x-graphql': 'EmailLookup.maskedPhone',
            },
          },
          required: ['valid', 'masked_phone_number'],
          additionalProperties: false,
        },
      },
    ),
    summary:
      'Check whether a user has an email address. Returns 204 if not. Limit: 600 requests per minute for a platform, 60 for a user.',
  },

  'POST /v1/pub/contactus': {
    auth: platform,
    args: { input: payload(records.contact) },
    run: 'mutation ($input: ContactInput!) { contact(input: $input) { isMailSent } }',
    reply: empty,
    summary: 'Send a message to the operators.',
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
    summary: 'Sign in a user. Returns 401 for a wrong email address or password, and 412 for an unconfirmed email address.',
  },
  // A token in the payload takes precedence over the token in the header.
  'POST /v1/sso/logout': {
    auth: either,
    actsForUser: false,
    args: { token },
    run: 'mutation ($token: String) { logout(token: $token) { ...Logout } }',
    reply: result(records.logout),
    summary: 'Revoke a user token. The token in the payload takes precedence over the token in the header.',
  },
  'POST /v1/pub/request_forgot_password': {
    auth: platform,
    args: { email, channel: payload.oneOf('request_type', { email: 'EMAIL', sms: 'SMS' }), customUrl },
    run: 'mutation ($email: String!, $channel: ResetChannel, $customUrl: String) { requestPasswordReset(email: $email, channel: $channel, customUrl: $customUrl) { channel } }',
    reply: empty,
    summary:
      'Request a password reset. Sends a link or code if the email address has an account. The response does not reveal whether it has one.',
  },
  'POST /v1/pub/forgot_password': {
    auth: platform,
    args: { value: required(payload.text('url')), password: required(payload.text('password')), email: payload.text('email') },
    run: 'mutation ($value: String!, $password: String!, $email: String) { resetPassword(value: $value, password: $password, email: $email) { id } }',
    reply: empty,
    summary: 'Set a new password with the value of a link or with a code.',
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
            description: 'Result of the check.',
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
    summary: 'Check whether the signed-in user is an admin.',
  },
  'POST /v1/pub/register_users': {
    auth: platform,
    args: { input: payload(records.registration) },
    run: 'mutation ($input: RegisterInput!) { register(input: $input) { ...MailReceipt } }',
    reply: under('response', records.mailReceipt),
    summary: 'Register a user. Sends an email with a link that confirms the email address.',
  },
  'GET /v1/pub/validate_email/{random_string}': {
    auth: anyone,
    args: { value: path('random_string') },
    run: 'mutation ($value: String!) { verifyEmail(value: $value) { id } }',
    reply: empty,
    summary: 'Confirm an email address. Returns 400 for an invalid link, and 410 for an expired one.',
  },
  'POST /v1/pub/resend_validation_email': {
    auth: platform,
    args: { email, customUrl },
    run: 'mutation ($email: String!, $customUrl: String) { resendVerification(email: $email, customUrl: $customUrl) { isMailSent } }',
    reply: empty,
    summary: 'Resend the confirmation email. The response does not reveal whether the email address has an account.',
  },
  'POST /sso_platform/token': {
    auth: platform,
    args: { input: payload(records.placedToken) },
    run: 'mutation ($input: PlaceTokenInput!) { placeToken(input: $input) { ...Token } }',
    reply: result(records.token),
    summary: 'Store a user token that the platform issued.',
  },
  'POST /v1/sso/refresh_token': {
    auth: either,
    actsForUser: false,
    args: { token, email: payload.text('email'), userId: payload.text('uuid') },
    run: 'mutation ($token: String, $email: String, $userId: ID) { refreshToken(token: $token, email: $email, userId: $userId) { ...Token } }',
    reply: result(records.token),
    summary:
      'Replace a user token by a new one. The token in the payload takes precedence over the token in the header. Returns 400 if `email` or `uuid` is not that of the user.',
  },
  'POST /sso_platform/revoke_token': {
    auth: either,
    actsForUser: false,
    args: { token: required(token) },
    run: 'mutation ($token: String!) { revokeToken(token: $token) { endedAt } }',
    reply: empty,
    summary: 'Revoke a user token.',
  },
  'GET|POST /v1/sso/validate_token': {
    // A missing user token results in 401, even with a platform token.
    auth: anyone,
    acceptsToken: user,
    run: '{ viewer { id } }',
    reply: custom<object | null>((viewer) => (viewer ? { body: {} } : fail('UNAUTHENTICATED', 'the user token is missing')), {
      answersNull: true,
      schema: { type: 'object', additionalProperties: false },
    }),
    summary: 'Check whether a user token is valid.',
  },
  'POST /sso_platform/validate_olttoken': {
    auth: platform,
    args: { token: required(token) },
    run: 'mutation ($token: String!) { validateOneTimeToken(token: $token) { ...Token } }',
    reply: result(records.token),
    summary: 'Exchange a one-time token for a user token. A one-time token can be used once.',
  },
  'GET /v1/sso/validate_url/{token}': {
    auth: anyone,
    args: { email: query('email') },
    run: 'query ($token: String!, $email: String) { isLinkOpen(value: $token, email: $email) }',
    reply: empty,
    summary: 'Check whether a link or code is valid. Returns 400 if it is invalid, and 410 if it has expired.',
  },

  'GET /v1/users/{uuid}': {
    auth: either,
    run: 'query ($uuid: ID!) { user(id: $uuid) { ...User } }',
    reply: result(records.user),
    summary: 'Get a user.',
  },
  'POST /v1/users/upsert': {
    auth: either,
    // The user token determines the record (decision 36). GraphQL would reject another ID.
    args: { input: payload(records.user, { patch: true, set: { uuid: caller(({ user }) => user?.id) } }) },
    run: 'mutation ($input: UserInput!) { upsertUser(input: $input) { ...User } }',
    reply: result(records.user),
    summary: "Create or update a user. Only fields in the request change. With a user token, the caller's own record is updated.",
  },
});
