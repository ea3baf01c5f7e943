import type { Method } from '../engine/route.js';

/** A compatibility decision in `docs/decisions.md`. */
export interface Decision {
  readonly number: string;
  readonly title: string;
  readonly text: string;
}

/** Properties of an operation that determine which decisions apply to it. */
export interface OperationFeatures {
  readonly method: Method;
  readonly path: string;
  readonly isMutation: boolean;
  readonly isList: boolean;
  /** Whether the operation has the parameter `page_size`. */
  readonly isPaged: boolean;
  /** Whether the request body contains a record. */
  readonly takesRecord: boolean;
  readonly hasInput: boolean;
  readonly hasEmptyResponse: boolean;
  readonly hasTimestamps: boolean;
  /** Whether the parameters or the request body contain a timestamp. */
  readonly takesTimestamps: boolean;
  /** Whether a path parameter must be the ID of the signed-in user. */
  readonly isOwn: boolean;
  /** Whether user tokens are accepted. */
  readonly isOpenToUsers: boolean;
}

/** Conditions of decisions that apply to operations with certain features, keyed by decision number. */
const byFeature: Readonly<Record<string, (operation: OperationFeatures) => boolean>> = {
  1: () => true,
  2: ({ hasEmptyResponse }) => hasEmptyResponse,
  3: ({ takesRecord, hasEmptyResponse }) => takesRecord || !hasEmptyResponse,
  4: ({ hasTimestamps }) => hasTimestamps,
  5: ({ takesRecord }) => takesRecord,
  6: ({ hasInput }) => hasInput,
  7: ({ isList }) => isList,
  8: ({ takesRecord }) => takesRecord,
  9: ({ method, path, takesRecord }) => takesRecord || method === 'DELETE' || path.includes('{'),
  10: ({ isOwn, isOpenToUsers, isMutation }) => isOwn || (isOpenToUsers && isMutation),
  11: () => true,
  37: ({ isOpenToUsers, isMutation, isOwn }) => isOpenToUsers && isMutation && !isOwn,
  52: ({ isPaged }) => isPaged,
  53: () => true,
  55: ({ takesTimestamps }) => takesTimestamps,
};

/** Patterns of decisions that apply to certain paths, keyed by decision number. They match the method and path of an operation. */
const byPath: Readonly<Record<string, RegExp>> = {
  '12a': /\/pb_/,
  13: /lookup_platforms/,
  15: /lookup_push_notifications/,
  16: /\/lookup_/,
  17: /user-email-lookup/,
  18: /tourney_flat_data(?!\/\{)/,
  19: /^GET .*tourney_flat_data/,
  20: /tourney_flat_data(?!\/\{)/,
  21: /^GET \/v1\/data\/teams$|tournament_referee\/upsert|final_standings|rankings\/upsert/,
  22: /\/admin\/sponsors|approve$|\/image$|\/biography$/,
  23: /\/admin\/sponsors|\/unapprove$|\/decline$/,
  24: /pending_images|\/image$/,
  25: /\/partner_rankings/,
  26: /^POST .*like_system/,
  27: /push_notifications|\/favorites|^GET .*game_scheduler/,
  28: /\/(admin|data)\/news(\/|$)/,
  29: /\/leagues(\/\{uuid\})?$/,
  30: /_flat_data_search\/upsert/,
  31: /send-message|send-email/,
  32: /game_scheduler/,
  33: /\/sso\/|\/pub\/|sso_platform/,
  34: /\/sso\/(login|logout|refresh_token)|sso_platform|is_admin_authorized/,
  35: /register_users|validate_email|resend_|forgot_password|validate_url/,
  36: /\/users\/(\{uuid\}|upsert)$/,
  38: /\/sso\/login/,
  39: /game_scheduler|validate_email|\/pub\/forgot_password/,
  40: /game_scheduler/,
  41: /partner_rankings$|\/points$|rankings\/upsert/,
  42: /\/(admin|data)\/news(\/|$)/,
  43: /tourney_flat_data(?!\/\{)/,
  44: /^GET .*tourney_flat_data/,
  45: /refresh_token|validate_url/,
  46: /\/admin\/sponsors|add_sponsor|\/approve$/,
  47: /system-approvals\/\{item_type\}/,
  48: /game_scheduler/,
  49: /^GET .*(sponsors|tourney_flat_data)/,
  50: /\/decline$/,
  51: /sso_platform\/token/,
  54: /\/users\/upsert$/,
  56: /\/sso\/login$/,
  57: /\/(admin|data)\/news(\/|$)/,
  58: /rankings\/upsert/,
  59: /tournament_attendee_event|^POST .*\/admin\/sponsors$|^PUT .*\/admin\/news\//,
  60: /sso_platform\/token$/,
  61: /partner_rankings$|game_scheduler$|\/users\/(\{uuid\}|upsert)$|\/users\/\{uuid\}\/image|\/(un)?approve$/,
  62: /\/sso\/login$|user-email-lookup|contactus$|register_users$|resend_validation_email$|request_forgot_password$/,
  63: /^PUT .*\/admin\/news\/\{uuid\}|^GET .*(\/data\/news$|tourney_flat_data|partner_rankings$|lookup_(categories|countries|currencies|states))|contactus|\/comments|send-email|game_scheduler$|rankings\/upsert/,
  64: /pb_invoice_items/,
  65: /\/unapprove$/,
  66: /^(POST|PUT) .*\/admin\/sponsors/,
};

/** Numbers of the decisions that apply to no operation of `/v1`. All other decisions apply to at least one operation. */
export const generalDecisions: readonly string[] = ['67'];

interface PathReference {
  readonly method: string | null;
  readonly path: string | null;
  readonly segment: string | null;
}

/**
 * Returns a function that checks whether the text of a decision mentions an operation. It may mention a path, such as `POST
 * /v1/users/upsert`, or a path segment, such as `lookup_categories`.
 */
function matcherOf({ text }: Decision): (operation: OperationFeatures) => boolean {
  const references = [...text.matchAll(/`([^`]+)`/g)].flatMap(([, name = '']): PathReference[] => {
    const [, method = null, target = name] = /^([A-Z]+) (.*)$/.exec(name) ?? [];
    if (target.startsWith('/')) return [{ method, path: target.replace(/\?.*$/, ''), segment: null }];
    return /[_-]/.test(target) && !/_uuid$/.test(target) ? [{ method, path: null, segment: target }] : [];
  });
  return ({ method, path }) =>
    references.some(
      (reference) =>
        (reference.method === null || reference.method === method) &&
        (reference.segment === null ? reference.path === path : path.split('/').includes(reference.segment)),
    );
}

/** Returns a function that finds the decisions about an operation, ordered by number. */
export function createDecisionFinder(decisions: readonly Decision[]): (operation: OperationFeatures) => Decision[] {
  const decisionMatchers = decisions.map((decision) => ({ ...decision, matches: matcherOf(decision) }));
  return (operation) => {
    const methodAndPath = `${operation.method} ${operation.path}`;
    const applies = ({ number, matches }: (typeof decisionMatchers)[number]) =>
      byFeature[number]?.(operation) || byPath[number]?.test(methodAndPath) || matches(operation);
    return decisionMatchers.filter(applies).map(({ matches: _, ...decision }) => decision);
  };
}
