import { LockMode } from '@mikro-orm/core';
import { GraphQLError } from 'graphql';
import { sql as raw, type SqlBool } from 'kysely';
import type { Context } from '../../../kernel/declare/context.js';
import { type Details, fail, reject } from '../../../kernel/declare/errors.js';
import { onBehalfOf } from '../../../kernel/declare/policy/on-behalf-of.js';
import { isAtOrBefore, now } from '../../../kernel/declare/scalars/instant.js';
import { toNfc } from '../../../kernel/declare/scalars/text.js';
import type { Session } from '../../../kernel/session.js';
import { DiscountCode } from './discount-code.js';

/** Path of the code in the arguments of both `checkout` and `quote`. */
const codeField = 'input.discountCode';
const rejectCode = (reason: string): never => fail('CONFLICT', `${codeField}: the discount code ${reason}`, { field: codeField });

const foldCase = (text: string): string => toNfc(text).toLowerCase();

/**
 * Finds the code that a player entered, ignoring case. Codes without a tournament apply to all tournaments, unless their module type is another
 * one, such as `Leagues`. Prefers exact matches, then enabled codes, then codes of the tournament.
 */
async function findCode(sql: Session, tournamentId: string, enteredCode: string): Promise<{ id: string } | undefined> {
  const codes = await sql.run(
    sql.db
      .selectFrom('discount_code')
      .select(['id', 'code'])
      // This comparison can use an index. It also ignores accents, so the rows are compared again below.
      .where(raw<SqlBool>`unaccent_lower(nfc(code)) = unaccent_lower(nfc(${enteredCode}))`)
      .where((c) =>
        c.or([
          c('module_id', '=', tournamentId),
          raw<SqlBool>`coalesce(module_id, '') = '' and lower(coalesce(module_type, '')) in ('', 'tournament', 'tournaments')`,
        ]),
      )
      .orderBy(raw`nfc(code) = nfc(${enteredCode}) desc`)
      .orderBy(raw`disabled_at is not null`)
      .orderBy(raw`module_id = ${tournamentId} desc nulls last`)
      .orderBy(raw`expires_at desc nulls first`)
      .orderBy('id'),
  );
  return codes.find(({ code }) => foldCase(code ?? '') === foldCase(enteredCode));
}

/** Counts the other invoices that use the code. */
const countUses = async (sql: Session, codeId: string, invoiceId: string): Promise<number> => {
  const row = await sql.first(
    sql.db
      .selectFrom('invoice_item')
      .select(({ fn }) => fn.count<string>('invoice_id').distinct().as('count'))
      .where('discount_code_id', '=', codeId)
      .where('invoice_id', '<>', invoiceId),
  );
  return Number(row?.count ?? 0);
};

/**
 * Returns why a code is invalid: it is disabled, not valid at the given time, not for registrations, or without a discount. Null if the code is
 * valid. A code without restrictions applies to everything.
 */
function invalidReason(code: DiscountCode, instant: string): string | null {
  if (code.disabledAt) return 'is disabled';
  if (code.startsAt && !isAtOrBefore(code.startsAt, instant)) return 'is not valid yet';
  if (code.expiresAt && isAtOrBefore(code.expiresAt, instant)) return 'has expired';
  if (!code.appliesToRegistration && (code.appliesToMerchandise || code.appliesToSpectators)) return 'is not for registrations';
  return code.coversEverything || Number(code.discount) > 0 ? null : 'gives no discount';
}

/** Whether a code on an invoice still applies to new lines. Ignores the maximum number of uses, because the invoice is already counted. */
export const isStillValid = (code: DiscountCode): boolean => invalidReason(code, now()) === null;

/** Returns the maximum number of uses of a code. Infinity if the stored text is not an integer. */
const limitOf = ({ issued }: DiscountCode): number => {
  const text = String(issued ?? '').trim();
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
};

/**
 * Returns a discount code that can be used for one more invoice. If `isLocking` is true, locks the code until the transaction ends, so that
 * concurrent checkouts cannot exceed its maximum number of uses.
 */
export async function usableCode(
  sql: Session,
  tournamentId: string,
  enteredCode: string,
  { invoiceId, isLocking }: { invoiceId: string | null; isLocking: boolean },
): Promise<DiscountCode> {
  const match = await findCode(sql, tournamentId, enteredCode);
  if (!match) return reject(codeField, 'a discount code of the tournament');
  const lock = isLocking ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const code = await sql.em.findOneOrFail(DiscountCode, { id: match.id }, lock);
  const reason = invalidReason(code, now());
  if (reason !== null) rejectCode(reason);
  return (await countUses(sql, code.id, invoiceId ?? '')) < limitOf(code) ? code : rejectCode('is used up');
}

const isRejectedCode = (error: unknown): boolean => {
  const { field, problems = [] } = (error instanceof GraphQLError ? error.extensions : {}) as Details;
  return field === codeField || problems.some((problem) => problem.field === codeField);
};

/**
 * Runs `work`, which checks a discount code. Throws RATE_LIMITED if the user has entered too many rejected codes. Accepted codes do not
 * count.
 */
export async function limitCodeAttempts<T>(
  context: Context,
  code: string | null | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (!code?.trim()) return work();
  const undoCount = await context.services.limit(context, 'user.codes', onBehalfOf(context, null));
  try {
    const result = await work();
    await undoCount();
    return result;
  } catch (error) {
    if (!isRejectedCode(error)) await undoCount();
    throw error;
  }
}
