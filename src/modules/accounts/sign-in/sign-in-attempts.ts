import { isIP } from 'node:net';
import type { Context } from '../../../kernel/declare/context.js';
import { codeOf } from '../../../kernel/declare/errors.js';
import { networkOf } from '../../../kernel/network.js';
import type { Session } from '../../../kernel/session.js';
import { addAuditEntry } from '../audit/audit-sql.js';
import type { RuleName } from '../limits/limit-rules.js';
import { clientKey, Limits, limitsOf } from '../limits/limits.js';
import { hashOf } from '../tokens/secrets.js';
import { saveLocation, signInHistoryOf } from './sign-in-locations-sql.js';

/**
 * Returns the sign-in location. With a key, the location is the network of the client, because pages can send any `ipAddress`. With a
 * platform token, the location is the network of `ipAddress`. If `ipAddress` is missing or invalid, the location consists of the platform,
 * the network that sent the request, and the value of `ipAddress`.
 */
function locationOf({ caller: { key, platform }, client }: Context, ipAddress: string | null | undefined): string {
  if (key) return networkOf(client.address);
  if (ipAddress && isIP(ipAddress)) return networkOf(ipAddress);
  return `platform ${platform?.id} ${networkOf(client.address)} ${ipAddress ?? ''}`;
}

/**
 * Returns the key of the device for limits across accounts. Null if a platform sends no `ipAddress`, because the platform's server is not
 * the device of a single user.
 */
function deviceOf(context: Context, ipAddress: string | null | undefined): string | null {
  if (context.caller.key) return clientKey(context);
  return ipAddress ? `${networkOf(context.client.address)} ${networkOf(ipAddress)}` : null;
}

/** Limits that an attempt counts against, in the order in which they are checked. */
type LimitKeys = readonly (readonly [rule: RuleName, key: string])[];

/**
 * Adds an audit entry when password checks for an address are blocked, even if no account has the address. The response time therefore does
 * not reveal whether the account exists.
 */
async function auditLock(sql: Session, account: string): Promise<void> {
  const user = await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', account));
  await addAuditEntry(sql, 'LOCKED', 'User', user?.id ?? '');
}

/**
 * Counts an attempt against all limits, or against none if one of them is exceeded. `onLock` runs only if the last limit is exceeded.
 */
async function consumeAll(limits: Limits, limitKeys: LimitKeys, onLock: () => Promise<void>): Promise<void> {
  for (const [index, [rule, key]] of limitKeys.entries())
    await limits.consume(rule, key, index === limitKeys.length - 1 ? onLock : undefined).catch(async (error: unknown) => {
      await refundAll(limits, limitKeys.slice(0, index));
      throw error;
    });
}

async function refundAll(limits: Limits, limitKeys: LimitKeys): Promise<void> {
  for (const [rule, key] of limitKeys) await limits.refund(rule, key);
}

/** Sign-in attempt that has been counted. */
interface SignInAttempt {
  /** Call this if the password is correct. Removes this attempt from the count and resets the account's count of failed attempts. */
  onPasswordMatch(): Promise<void>;
  /** Call this after a sign-in. Saves the sign-in location as a known location. */
  onSignIn(userId: string): Promise<void>;
}

/** Counts an attempt against limits without enforcing them. */
const countWithoutEnforcing = ({ counters, context }: Limits, limitKeys: LimitKeys): Promise<void> =>
  consumeAll(new Limits(counters, context, false), limitKeys, async () => undefined).catch((error: unknown) => {
    if (codeOf(error) !== 'RATE_LIMITED') throw error;
  });

/**
 * Counts a sign-in attempt before the password is verified, so that concurrent attempts cannot exceed the limits. Throws RATE_LIMITED. With
 * a platform token, each account and location has its own count. For unknown locations, changing the password starts a new count. With a key,
 * all unknown locations share one count per account, so that a lock covers all of them.
 */
export async function countSignInAttempt(
  context: Context,
  account: string,
  ipAddress: string | null | undefined,
): Promise<SignInAttempt> {
  const { sql, caller } = context;
  const limits = limitsOf(context);
  const location = hashOf(`${account} ${locationOf(context, ipAddress)}`);
  const device = deviceOf(context, ipAddress);
  const { passwordHash, isKnownLocation } = await signInHistoryOf(sql, account, location);
  const sharedLimits: LimitKeys = caller.key
    ? [['key.attempts', caller.key.id], ...(device ? ([['address.passwords', device]] as const) : [])]
    : device
      ? [['platform.passwords', device]]
      : [];
  const locationKey = isKnownLocation ? `${account} at ${location}` : `${account} at new ${location} ${passwordHash ?? ''}`;
  const accountKey = caller.key && !isKnownLocation ? account : locationKey;
  const accountLimit: LimitKeys = [['account.passwords', accountKey]];
  const isTrustedLocation = isKnownLocation && !caller.key;
  if (isTrustedLocation) await countWithoutEnforcing(limits, sharedLimits);
  await consumeAll(limits, isTrustedLocation ? accountLimit : [...sharedLimits, ...accountLimit], () => auditLock(sql, account));
  return {
    async onPasswordMatch() {
      await limits.reset('account.passwords', accountKey);
      await refundAll(limits, sharedLimits);
    },
    onSignIn: async (userId) => void (await saveLocation(sql, userId, location)),
  };
}
