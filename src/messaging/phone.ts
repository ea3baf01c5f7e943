/**
 * Converts a phone number to E.164 format, such as `+15125550100`. Null if it is invalid. `country` is a two-letter code for
 * numbers without a country code.
 */
export async function internationalNumber(phone: string, country: string | null): Promise<string | null> {
  // Loaded on demand, because the number plans of all countries are large.
  const { default: parsePhoneNumber, isSupportedCountry } = await import('libphonenumber-js');
  const number = parsePhoneNumber(phone, country && isSupportedCountry(country) ? country : 'US');
  return number?.isValid() ? number.number : null;
}
