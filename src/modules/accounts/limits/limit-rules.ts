/** Maximum number of attempts in a time window. */
interface Quota {
  /** Number of attempts. */
  readonly points: number;
  /** Length of the time window in seconds. */
  readonly duration: number;
}

const minute = 60;
const hour = 60 * minute;

/** Rate limit with a default that operators can override. */
interface LimitRule {
  /** Default. Null disables the limit. */
  readonly quota: Quota | null;
  readonly description: string;
}

/** All rate limits. Names have the format `scope.action`. RATE_LIMITS accepts names and scopes. */
export const limitRules = {
  'account.passwords': {
    quota: { points: 10, duration: 15 * minute },
    description:
      'Wrong passwords for one email address, even if no account has it. With a platform token, also per network address.',
  },
  'account.messages': {
    quota: { points: 50, duration: hour },
    description: 'Emails and text messages to one email address or phone number, even if no account has it.',
  },
  'user.messages': {
    quota: { points: 100, duration: 24 * hour },
    description: 'Emails and text messages sent on behalf of one user, such as invitations.',
  },
  'user.recipient': {
    quota: { points: 5, duration: 24 * hour },
    description: 'Emails and text messages sent on behalf of one user to one email address or phone number.',
  },
  'user.codes': {
    quota: { points: 10, duration: hour },
    description: 'Wrong discount codes entered by one user.',
  },
  'user.partners': {
    quota: { points: 10, duration: hour },
    description: 'Rejected partners that one user proposed, such as players who are already in the event.',
  },
  'webhook.codes': {
    quota: { points: 1, duration: 24 * hour },
    description: 'Codes emailed to confirm the contact of one webhook, across all email addresses.',
  },
  'address.passwords': {
    quota: { points: 50, duration: 15 * minute },
    description: 'Wrong passwords sent with one key from one network address, across all accounts.',
  },
  'address.messages': {
    quota: { points: 60, duration: hour },
    description: 'Emails and text messages requested with one key from one network address, across all recipients.',
  },
  'address.contact': {
    quota: { points: 60, duration: hour },
    description: 'Contact messages sent with one key from one network address.',
  },
  'key.lookups': {
    quota: { points: 60, duration: minute },
    description: 'Lookups of email addresses by one user.',
  },
  'key.attempts': {
    quota: null,
    description:
      'Wrong passwords, emails, text messages and contact messages of one publishable key, from all network addresses.',
  },
  'platform.passwords': {
    quota: { points: 300, duration: 15 * minute },
    description: 'Wrong passwords that a platform forwards from one network address, across all accounts.',
  },
  'platform.lookups': {
    quota: { points: 600, duration: minute },
    description: 'Lookups of email addresses by one platform.',
  },
  'platform.contact': {
    quota: { points: 600, duration: hour },
    description: 'Contact messages by one platform.',
  },
  'requests.platform': {
    quota: null,
    description: 'All requests of one platform in each process, including requests with its publishable keys.',
  },
} as const satisfies Record<string, LimitRule>;

export type RuleName = keyof typeof limitRules;

const isRule = (name: string): name is RuleName => Object.hasOwn(limitRules, name);
export const ruleNames = Object.keys(limitRules).filter(isRule);
/** Limits whose attempts are counted in the database. Requests are counted in the memory of each process. */
export const countedRules = ruleNames.filter((name) => name !== 'requests.platform');

/** Quotas, keyed by the name of the limit. Null means no limit. */
export type Quotas = Readonly<Record<RuleName, Quota | null>>;

export const defaultQuotas: Quotas = Object.fromEntries(ruleNames.map((name) => [name, limitRules[name].quota])) as Record<
  RuleName,
  Quota | null
>;

/** Prefixes of limit names. A quota for a scope applies to all its limits. */
const scopes = [...new Set(ruleNames.map((name) => name.replace(/\..*/, '')))];

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: minute, h: hour, d: 24 * hour };
const maxPoints = 1_000_000;
const maxDuration = 7 * 24 * hour;

function parseQuota(text: string): Quota | null {
  const [, points = '', count = '', unit = ''] = /^(\d{1,9})\/(\d{1,9})([smhd])$/.exec(text) ?? [];
  const quota = { points: Number(points), duration: Number(count) * (secondsPerUnit[unit] ?? 0) };
  const isValid = quota.points >= 1 && quota.points <= maxPoints && quota.duration >= 1 && quota.duration <= maxDuration;
  return isValid ? quota : null;
}

/**
 * Parses RATE_LIMITS, such as `address=100/15m,account.passwords=5/1h`. Counts range from 1 to 1,000,000. Windows last at most 7 days. The
 * quota of a limit overrides the quota of its scope, and both override the defaults. Each returned problem continues a sentence that starts
 * with `RATE_LIMITS`.
 */
export function parseQuotas(text: string): { quotas: Quotas } | { problems: string[] } {
  const problems: string[] = [];
  const customQuotas = new Map<string, Quota>();
  for (const entry of text.split(',')) {
    const [name = '', ...rest] = entry.trim().split('=');
    const quota = parseQuota(rest.join('='));
    if (!isRule(name) && !scopes.includes(name))
      problems.push(`has the unknown limit ${JSON.stringify(name)}. Valid limits: ${[...scopes, ...ruleNames].join(', ')}`);
    else if (!quota) problems.push(`must set ${name} to a count and a time, such as ${name}=100/15m. Maximum: ${maxPoints}/7d`);
    else if (customQuotas.has(name)) problems.push(`must not set ${name} more than once`);
    else customQuotas.set(name, quota);
  }
  if (problems.length) return { problems };
  const quotas = ruleNames.map((name) => [
    name,
    customQuotas.get(name) ?? customQuotas.get(name.replace(/\..*/, '')) ?? defaultQuotas[name],
  ]);
  return { quotas: Object.fromEntries(quotas) };
}
