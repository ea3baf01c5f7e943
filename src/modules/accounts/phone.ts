import { reject } from '../../kernel/declare/errors.js';
import type { Session } from '../../kernel/session.js';
import { internationalNumber } from '../../messaging/ports.js';

/** A phone number in the form in which it can be called from everywhere; null when it is none. The country counts where the number states none itself. */
export async function callable(sql: Session, phone: string, countryId: string | null | undefined): Promise<string | null> {
  const country = countryId ? await sql.first(sql.db.selectFrom('country').select('alpha2').where('id', '=', countryId)) : null;
  return internationalNumber(phone, country?.alpha2 ?? null);
}

const form = /^(?:[^\d\p{L}]*\d){5,20}[^\d\p{L}]*(?:x[^\d\p{L}]*\d{1,6})?$/iu;

/** Refuses what does not look like a phone number; the message names the field. Whether it can be called shows when it is. */
export function checkPhone(phone: string, field: string): void {
  if (!form.test(phone)) reject(field, 'a phone number such as +1 512 555 0123');
}

/** All but the last four digits starred (decision 17). */
export const maskedPhone = (phone: string | null): string => (phone ?? '').replace(/.(?=.{4})/gs, '*');
