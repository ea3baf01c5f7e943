import { LockMode } from '@mikro-orm/core';
import { sql as raw, type SqlBool } from 'kysely';
import { fail, reject } from '../../../kernel/declare/errors.js';
import { isNotAfter, now } from '../../../kernel/declare/scalars/instant.js';
import { toNfc } from '../../../kernel/declare/scalars/nfc.js';
import type { Session } from '../../../kernel/session.js';
import { DiscountCode } from './discount-code.js';

/** Path of the code in the arguments of `checkout` and `quote`. */
export const codeField = 'input.discountCode';
const refuse = (reason: string): never => fail('CONFLICT', `${codeField}: the discount code ${reason}`, { field: codeField });

const foldedCase = (text: string): string => toNfc(text).toLowerCase();

/**
 * Finds the code that a player typed, ignoring case. An exact match comes first, then enabled codes, then codes of the tournament.
 */
async function findCode(sql: Session, tournamentId: string, enteredCode: string): Promise<{ id: string } | undefined> {
  const codes = await sql.run(
    sql.db
      .selectFrom('discount_code')
      .select(['id', 'code'])
      // Also ignores accents. Uses an index.
      .where(raw<SqlBool>`unaccent_lower(nfc(code)) = unaccent_lower(nfc(${enteredCode}))`)
      .where((c) => c.or([c('module_id', '=', tournamentId), c('module_id', 'is', null), c('module_id', '=', '')]))
      .orderBy(raw`nfc(code) = nfc(${enteredCode}) desc`)
      .orderBy(raw`disabled_at is not null`)
      .orderBy(raw`module_id = ${tournamentId} desc nulls last`)
      .orderBy(raw`expires_at desc nulls first`)
      .orderBy('id'),
  );
  return codes.find(({ code }) => foldedCase(code ?? '') === foldedCase(enteredCode));
}

/** Number of other invoices with the code. */
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

/** Rejects a code that cannot be used now. A code without restrictions applies to everything. */
function checkUsable(code: DiscountCode, instant: string): void {
  if (code.disabledAt) refuse('is disabled');
  if (code.startsAt && !isNotAfter(code.startsAt, instant)) refuse('is not valid yet');
  if (code.expiresAt && isNotAfter(code.expiresAt, instant)) refuse('has expired');
  if (!code.appliesToRegistration && (code.appliesToMerchandise || code.appliesToSpectators)) refuse('is not for registrations');
  if (!code.coversEverything && !(Number(code.discount) > 0)) refuse('gives no discount');
}

/** Maximum number of uses. A text that is not an integer is no limit. */
const limitOf = ({ issued }: DiscountCode): number => {
  const text = String(issued ?? '').trim();
  return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
};

/** A discount code that can be used on one more invoice. With `locks` the code is locked until the end of the transaction, so that each use is counted once. */
export async function usableCode(
  sql: Session,
  tournamentId: string,
  enteredCode: string,
  { invoiceId, locks }: { invoiceId: string | null; locks: boolean },
): Promise<DiscountCode> {
  const match = await findCode(sql, tournamentId, enteredCode);
  if (!match) return reject(codeField, 'a discount code of the tournament');
  const lock = locks ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {};
  const code = await sql.em.findOneOrFail(DiscountCode, { id: match.id }, lock);
  checkUsable(code, now());
  return (await countUses(sql, code.id, invoiceId ?? '')) < limitOf(code) ? code : refuse('is used up');
}
