import { isIP } from 'node:net';
import type { Context } from '../../kernel/declare/context.js';
import { networkOf } from '../../kernel/network.js';
import type { Session } from '../../kernel/session.js';
import { note } from './audit-sql.js';
import type { Rule } from './limit-rules.js';
import { type Limits, limitsOf, whoTries } from './limits.js';
import { hashOf } from './secrets.js';
import { rememberPlace, wasSignedInFrom } from './sign-in-places-sql.js';

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

/**
 * Takes a try at a password before anything is looked at, or many at once at several processes would slip through; RATE_LIMITED when there
 * is none left. Who tries from a place from which the account was signed in before has tries of their own there: wrong passwords from
 * elsewhere lock the account, and not its owner out.
 */
export async function takeTry(context: Context, account: string, ipAddress: string | null | undefined): Promise<Try> {
  const { sql, caller } = context;
  const limits = limitsOf(context);
  const place = hashOf(`${account} ${placeOf(context, ipAddress)}`);
  const device = deviceOf(context, ipAddress);
  const others: Counts = [
    ...(caller.key ? ([['key.attempts', caller.key.id]] as const) : []),
    ...(device ? ([['address.passwords', device]] as const) : []),
  ];
  const counted = (await wasSignedInFrom(sql, account, place)) ? `${account} at ${place}` : account;
  await takeAll(limits, [...others, ['account.passwords', counted]], () => noteLock(sql, account));
  return {
    async wasRight() {
      await limits.clear('account.passwords', counted);
      await giveBack(limits, others);
    },
    signedIn: async (userId) => void (await rememberPlace(sql, userId, place)),
  };
}
