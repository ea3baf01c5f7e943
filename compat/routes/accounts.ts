import { fail } from '../../src/kernel/declare/errors.js';
import {
  anyone,
  caller,
  computedFrom,
  custom,
  declareRoutes,
  empty,
  header,
  list,
  path,
  payload,
  platform,
  platformOrUser,
  query,
  recordUnder,
  required,
  result,
  user,
} from '../engine/index.js';
import * as records from '../records/accounts.js';
import { getRoute, listRoute, upsertRoute } from './record-routes.js';

const email = required(payload.text('email'));
const customUrl = payload.text('custom_url');
/** Matches the text that clients send if they have no token: whitespace, `null` or `undefined` (decision 53). */
const missingToken = /^\s*(?:null|undefined)?\s*$/i;
const token = computedFrom((text) => (text && !missingToken.test(text) ? text : undefined), payload.text('token'));

/** Routes for single sign-on and public endpoints (section 4.20), users (decision 36) and two lookups (section 2.2). */
export const accountRoutes = declareRoutes({
  'GET /v1/data/lookup_platforms': listRoute('platforms', list(records.platformLookup, { total: null }), 'List platforms.', {
    auth: platformOrUser,
    hasETag: true,
  }),
  'GET /v1/data/user-email-lookup/{email}': {
    auth: platformOrUser,
    operation: 'query ($email: String!) { emailLookup(email: $email) { isValid maskedPhone } }',
    reply: custom<{ isValid: boolean; maskedPhone: string } | null>(
      (account) => (account ? { body: { valid: account.isValid, masked_phone_number: account.maskedPhone } } : { status: 204 }),
      {
        handlesNull: true,
        schema: {
          type: ['object', 'null'],
          properties: {
            valid: { type: 'boolean', description: 'Whether a user has this email address.', 'x-graphql': 'EmailLookup.isValid' },
            masked_phone_number: {
              type: 'string',
              description:
                'Phone number of the user. All characters except the last four are masked with asterisks. Empty if the user has no phone number.',
              'x-graphql': 'EmailLookup.maskedPhone',
            },
          },
          required: ['valid', 'masked_phone_number'],
          additionalProperties: false,
        },
      },
    ),
    summary:
      'Check whether a user has this email address. Returns 204 if there is no such user. Default limit: 600 requests per minute for a platform, 60 for a user.',
  },

  'POST /v1/pub/contactus': {
    auth: platform,
    args: { input: payload(records.contact) },
    operation: 'mutation ($input: ContactInput!) { contact(input: $input) { isMailSent } }',
    reply: empty,
    summary: 'Email a message to the operators of the service.',
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
    operation: 'mutation ($input: LoginInput!) { login(input: $input) { ...Login } }',
    reply: result(records.login),
    summary: 'Sign in a user. Returns 401 for a wrong email address or password, and 412 for an unconfirmed email address.',
  },
  'POST /v1/sso/logout': {
    auth: platformOrUser,
    actsForUser: false,
    args: { token },
    operation: 'mutation ($token: String) { logout(token: $token) { ...Logout } }',
    reply: result(records.logout),
    summary: 'Revoke a user token. The token in the payload takes precedence over the token in the header.',
  },
  'POST /v1/pub/request_forgot_password': {
    auth: platform,
    args: { email, channel: payload.oneOf('request_type', { email: 'EMAIL', sms: 'SMS' }), customUrl },
    operation:
      'mutation ($email: String!, $channel: ResetChannel, $customUrl: String) { requestPasswordReset(email: $email, channel: $channel, customUrl: $customUrl) { channel } }',
    reply: empty,
    summary:
      'Request a password reset. Sends a link or code if an account has this email address. The response does not reveal whether such an account exists.',
  },
  'POST /v1/pub/forgot_password': {
    auth: platform,
    args: { value: required(payload.text('url')), password: required(payload.text('password')), email: payload.text('email') },
    operation:
      'mutation ($value: String!, $password: String!, $email: String) { resetPassword(value: $value, password: $password, email: $email) { id } }',
    reply: empty,
    summary: 'Set a new password with the value from a reset link, or with a reset code.',
  },
  'GET /v1/sso/is_admin_authorized': {
    auth: platformOrUser,
    operation: '{ isAdminAuthorized }',
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
                description: 'Whether the signed-in user is an admin or super admin.',
                'x-graphql': 'Query.isAdminAuthorized',
              },
            },
            required: ['isAdminAuthorized'],
          },
        },
        required: ['result'],
      },
    }),
    summary: 'Check whether the signed-in user is an admin or super admin.',
  },
  'POST /v1/pub/register_users': {
    auth: platform,
    args: { input: payload(records.registration) },
    operation: 'mutation ($input: RegisterInput!) { register(input: $input) { ...MailReceipt } }',
    reply: recordUnder('response', records.mailReceipt),
    summary: 'Register a user. Sends an email with a link to confirm the email address.',
  },
  'GET /v1/pub/validate_email/{random_string}': {
    auth: anyone,
    args: { value: path('random_string') },
    operation: 'mutation ($value: String!) { verifyEmail(value: $value) { id } }',
    reply: empty,
    summary: 'Confirm an email address. Returns 400 for an invalid link, and 410 for an expired one.',
  },
  'POST /v1/pub/resend_validation_email': {
    auth: platform,
    args: { email, customUrl },
    operation:
      'mutation ($email: String!, $customUrl: String) { resendVerification(email: $email, customUrl: $customUrl) { isMailSent } }',
    reply: empty,
    summary: 'Resend the confirmation email. The response does not reveal whether an account has this email address.',
  },
  'POST /sso_platform/token': {
    auth: platform,
    args: { input: payload(records.issuedToken) },
    operation: 'mutation ($input: PlaceTokenInput!) { placeToken(input: $input) { ...Token } }',
    reply: result(records.token),
    summary: 'Store a user token that the platform issued.',
  },
  'POST /v1/sso/refresh_token': {
    auth: platformOrUser,
    actsForUser: false,
    args: { token, email: payload.text('email'), userId: payload.text('uuid') },
    operation:
      'mutation ($token: String, $email: String, $userId: ID) { refreshToken(token: $token, email: $email, userId: $userId) { ...Token } }',
    reply: result(records.token),
    summary:
      'Replace a user token with a new one. The token in the payload takes precedence over the token in the header. Returns 400 if `email` or `uuid` does not match the user.',
  },
  'POST /sso_platform/revoke_token': {
    auth: platformOrUser,
    actsForUser: false,
    args: { token: required(token) },
    operation: 'mutation ($token: String!) { revokeToken(token: $token) { endedAt } }',
    reply: empty,
    summary: 'Revoke a user token.',
  },
  'GET|POST /v1/sso/validate_token': {
    // A request without a user token gets 401, even with a platform token.
    auth: anyone,
    acceptsToken: user,
    operation: '{ viewer { id } }',
    reply: custom<object | null>((viewer) => (viewer ? { body: {} } : fail('UNAUTHENTICATED', 'the user token is missing')), {
      handlesNull: true,
      schema: { type: 'object', additionalProperties: false },
    }),
    summary: 'Check whether a user token is valid.',
  },
  'POST /sso_platform/validate_olttoken': {
    auth: platform,
    args: { token: required(token) },
    operation: 'mutation ($token: String!) { validateOneTimeToken(token: $token) { ...Token } }',
    reply: result(records.token),
    summary: 'Exchange a one-time token for a user token.',
  },
  'GET /v1/sso/validate_url/{token}': {
    auth: anyone,
    args: { email: query('email') },
    operation: 'query ($token: String!, $email: String) { isLinkOpen(value: $token, email: $email) }',
    reply: empty,
    summary: 'Check whether a link or code is valid. Returns 400 if it is invalid, and 410 if it has expired.',
  },

  'GET /v1/users/{uuid}': getRoute(result(records.user), 'Get a user.', { auth: platformOrUser }),
  'POST /v1/users/upsert': upsertRoute(
    records.user,
    "Create or update a user. Only fields in the request change. With a user token, the caller's own record is updated.",
    {
      auth: platformOrUser,
      // With a user token, the ID in the request is replaced by the ID of that user (decision 36). GraphQL would reject any other ID.
      args: { input: payload(records.user, { patch: true, set: { uuid: caller(({ user }) => user?.id) } }) },
    },
  ),
});
