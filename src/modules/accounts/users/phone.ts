import { reject } from '../../../kernel/declare/errors.js';
import type { Session } from '../../../kernel/session.js';
import { internationalNumber } from '../../../messaging/ports.js';

/** Returns a phone number in international format. Null if the number is invalid. `countryId` applies to numbers without a country code. */
export async function internationalPhone(
  sql: Session,
  phone: string,
  countryId: string | null | undefined,
): Promise<string | null> {
  const country = countryId ? await sql.first(sql.db.selectFrom('country').select('alpha2').where('id', '=', countryId)) : null;
  return internationalNumber(phone, country?.alpha2 ?? null);
}

const phonePattern = /^(?:[^\d\p{L}]*\d){5,20}[^\d\p{L}]*(?:x[^\d\p{L}]*\d{1,6})?$/iu;

/** Throws BAD_INPUT for `field` if the text does not look like a phone number. Does not check whether the number exists. */
export function checkPhone(phone: string, field: string): void {
  if (!phonePattern.test(phone)) reject(field, 'a phone number such as +1 512 555 0123');
}

/** Replaces all but the last four characters of a phone number with `*` (decision 17). Returns an empty string for null. */
export const maskPhone = (phone: string | null): string => (phone ?? '').replace(/.(?=.{4})/gs, '*');
