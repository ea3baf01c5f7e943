import { isIP } from 'node:net';
import type { Context } from '../../kernel/declare/context.js';
import { codeOf } from '../../kernel/declare/errors.js';
import { networkOf } from '../../kernel/network.js';
import type { Session } from '../../kernel/session.js';
import { note } from './audit-sql.js';
import type { Rule } from './limit-rules.js';
import { type Limits, limitsOf, whoTries } from './limits.js';
import { hashOf } from './secrets.js';
import { rememberPlace, signInHistoryOf } from './sign-in-places-sql.js';

/**
 * From where somebody signs in. Of a key that is the connection, and what its pages tell of themselves is not believed; of a platform the
 * address of the device that it names, else the server through which all its users sign in.
 */
function placeOf({ caller: { key, platform }, client }: Context, ipAddress: string | null | undefined): string {
  if (key) return networkOf(client.address);
  if (ipAddress && isIP(ipAddress)) return networkOf(ipAddress);
  return `platform ${platform?.id} ${networkOf(client.address)} ${ipAddress ?? ''}`;
}

/** The device that tries passwords, whatever the accounts; null where nobody says, or all users of a platform would be one device. */
function deviceOf(context: Context, ipAddress: string | null | undefined): string | null {
  if (context.caller.key) return whoTries(context);
  return ipAddress ? `${networkOf(context.client.address)} ${networkOf(ipAddress)}` : null;
}

/** What a try counts for, in the order in which it is taken. */
type Counts = readonly (readonly [rule: Rule, key: string])[];

/** An address that nobody has leaves an entry, too: else the time that it takes would tell. */
async function noteLock(sql: Session, account: string): Promise<void> {
  const user = await sql.first(sql.db.selectFrom('app_user').select('id').where('email', '=', account));
  await note(sql, 'LOCKED', 'User', user?.id ?? '');
}

/** Takes all or nothing; `onLock` is for the last of them. */
async function takeAll(limits: Limits, counts: Counts, onLock: () => Promise<void>): Promise<void> {
  for (const [index, [rule, key]] of counts.entries())
    await limits.take(rule, key, index === counts.length - 1 ? onLock : undefined).catch(async (error: unknown) => {
      await giveBack(limits, counts.slice(0, index));
      throw error;
    });
}

async function giveBack(limits: Limits, counts: Counts): Promise<void> {
  for (const [rule, key] of counts) await limits.giveBack(rule, key);
}

/** A try that was taken. */
export interface Try {
  /** The password was right: the try does not count, nor those that failed before at that account. */
  wasRight(): Promise<void>;
  /** The user has signed in from there. */
  signedIn(userId: string): Promise<void>;
}

/** Counts a try against a limit that does not close a place where the account was signed in before. */
const countOnly = (limits: Limits, counts: Counts): Promise<void> =>
  takeAll(limits, counts, async () => undefined).catch((error: unknown) => {
    if (codeOf(error) !== 'RATE_LIMITED') throw error;
  });

/**
 * Counts a try at a password before the password is verified, so that concurrent tries cannot exceed the limits. RATE_LIMITED when there is none
 * left. A platform's tries count for the account and their place together. A key's tries at a new place count for the account, so that they lock
 * all new places. The count of a platform starts again at 0 with a new password.
 */
export async function takeTry(context: Context, account: string, ipAddress: string | null | undefined): Promise<Try> {
  const { sql, caller } = context;
  const limits = limitsOf(context);
  const place = hashOf(`${account} ${placeOf(context, ipAddress)}`);
  const device = deviceOf(context, ipAddress);
  const { passwordHash, isKnownPlace } = await signInHistoryOf(sql, account, place);
  const others: Counts = caller.key
    ? [['key.attempts', caller.key.id], ...(device ? ([['address.passwords', device]] as const) : [])]
    : device
      ? [['platform.passwords', device]]
      : [];
  const atPlace = isKnownPlace ? `${account} at ${place}` : `${account} at new ${place} ${passwordHash ?? ''}`;
  const counted = caller.key && !isKnownPlace ? account : atPlace;
  const own: Counts = [['account.passwords', counted]];
  const isAlwaysOpen = isKnownPlace && !caller.key;
  if (isAlwaysOpen) await countOnly(limits, others);
  await takeAll(limits, isAlwaysOpen ? own : [...others, ...own], () => noteLock(sql, account));
  return {
    async wasRight() {
      await limits.clear('account.passwords', counted);
      await giveBack(limits, others);
    },
    signedIn: async (userId) => void (await rememberPlace(sql, userId, place)),
  };
}
