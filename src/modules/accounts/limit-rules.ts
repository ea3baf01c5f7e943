/** So many tries in so many seconds. */
export interface Quota {
  readonly points: number;
  readonly duration: number;
}

const minute = 60;
const hour = 60 * minute;

/** A limit that an operator may change. */
interface LimitRule {
  /** What stands where the operator says nothing; null counts nothing. */
  readonly quota: Quota | null;
  readonly description: string;
}

/** Everything that is limited, by what it is counted for and what of it: the name and its first part are those of RATE_LIMITS. */
export const limitRules = {
  'account.passwords': {
    quota: { points: 10, duration: 15 * minute },
    description: 'Wrong passwords of one account, known or not. With a platform token, of one account from one network address.',
  },
  'account.messages': {
    quota: { points: 50, duration: hour },
    description: 'Mails and text messages to one e-mail address or phone number, even if no account has it.',
  },
  'user.messages': {
    quota: { points: 100, duration: 24 * hour },
    description: 'Mails and text messages sent on behalf of one user, such as invitations.',
  },
  'user.recipient': {
    quota: { points: 5, duration: 24 * hour },
    description: 'Mails and text messages sent on behalf of one user to one e-mail address or phone number.',
  },
  'user.codes': {
    quota: { points: 10, duration: hour },
    description: 'Wrong discount codes entered by one user.',
  },
  'user.partners': {
    quota: { points: 10, duration: hour },
    description: 'Refused partners of one user, such as players who are already in the event.',
  },
  'webhook.codes': {
    quota: { points: 1, duration: 24 * hour },
    description: 'Codes mailed to confirm the contact of one webhook, to all e-mail addresses.',
  },
  'address.passwords': {
    quota: { points: 50, duration: 15 * minute },
    description: 'Wrong passwords by one key from one network address, whatever the account.',
  },
  'address.messages': {
    quota: { points: 60, duration: hour },
    description: 'Mails and text messages to whomever, by one key from one network address.',
  },
  'address.contact': {
    quota: { points: 60, duration: hour },
    description: 'Contact messages by one key from one network address.',
  },
  'key.lookups': {
    quota: { points: 60, duration: minute },
    description: 'Lookups of e-mail addresses by one user.',
  },
  'key.attempts': {
    quota: null,
    description: 'Wrong passwords, messages and contact messages by one publishable key, from wherever.',
  },
  'platform.passwords': {
    quota: { points: 300, duration: 15 * minute },
    description: 'Wrong passwords from one network address that a platform names, whatever the account.',
  },
  'platform.lookups': {
    quota: { points: 600, duration: minute },
    description: 'Lookups of e-mail addresses by one platform.',
  },
  'platform.contact': {
    quota: { points: 600, duration: hour },
    description: 'Contact messages by one platform.',
  },
} as const satisfies Record<string, LimitRule>;

export type Rule = keyof typeof limitRules;

const isRule = (name: string): name is Rule => Object.hasOwn(limitRules, name);
export const ruleNames = Object.keys(limitRules).filter(isRule);

/** The limits that hold, by their names. */
export type Quotas = Readonly<Record<Rule, Quota | null>>;

/** The limits where the operator says nothing. */
export const defaultQuotas: Quotas = Object.fromEntries(ruleNames.map((name) => [name, limitRules[name].quota])) as Record<
  Rule,
  Quota | null
>;

/** What an operator may set: each limit, and all that are counted for the same. */
const scopes = [...new Set(ruleNames.map((name) => name.replace(/\..*/, '')))];

const seconds: Readonly<Record<string, number>> = { s: 1, m: minute, h: hour, d: 24 * hour };
const mostPoints = 1_000_000;
const longest = 7 * 24 * hour;

function quotaOf(text: string): Quota | null {
  const [, points = '', count = '', unit = ''] = /^(\d{1,9})\/(\d{1,9})([smhd])$/.exec(text) ?? [];
  const quota = { points: Number(points), duration: Number(count) * (seconds[unit] ?? 0) };
  const fits = quota.points >= 1 && quota.points <= mostPoints && quota.duration >= 1 && quota.duration <= longest;
  return fits ? quota : null;
}

/**
 * Reads `address=100/15m,account.passwords=5/1h` over the defaults: a count of 1 to 1,000,000 and a time of up to 7 days. What is set for all
 * of a kind gives way to what is set for one limit. What is wrong with it, as ends of sentences, where something is.
 */
export function readQuotas(text: string): { quotas: Quotas } | { problems: string[] } {
  const problems: string[] = [];
  const given = new Map<string, Quota>();
  for (const part of text.split(',')) {
    const [name = '', ...rest] = part.trim().split('=');
    const quota = quotaOf(rest.join('='));
    if (!isRule(name) && !scopes.includes(name))
      problems.push(`must name limits, and ${JSON.stringify(name)} is none: there are ${[...scopes, ...ruleNames].join(', ')}`);
    else if (!quota)
      problems.push(`must have for ${name} a count and a time, such as ${name}=100/15m: at most ${mostPoints}, and 7d`);
    else if (given.has(name)) problems.push(`must have ${name} once`);
    else given.set(name, quota);
  }
  if (problems.length) return { problems };
  const quotas = ruleNames.map((name) => [name, given.get(name) ?? given.get(name.replace(/\..*/, '')) ?? defaultQuotas[name]]);
  return { quotas: Object.fromEntries(quotas) };
}
