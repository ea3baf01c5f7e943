import parsePhoneNumber, { isSupportedCountry } from 'libphonenumber-js';

/** A phone number in the form in which it can be called from everywhere, `+15125550100`; null when it is none. The country, by its two letters, counts where the number states none itself. */
export function internationalNumber(phone: string, country: string | null): string | null {
  const number = parsePhoneNumber(phone, country && isSupportedCountry(country) ? country : 'US');
  return number?.isValid() ? number.number : null;
}
