/** A phone number in the form in which it can be called from everywhere, `+15125550100`; null when it is none. The country, by its two letters, counts where the number states none itself. */
export async function internationalNumber(phone: string, country: string | null): Promise<string | null> {
  // The plans of all countries' numbers, which most processes never need.
  const { default: parsePhoneNumber, isSupportedCountry } = await import('libphonenumber-js');
  const number = parsePhoneNumber(phone, country && isSupportedCountry(country) ? country : 'US');
  return number?.isValid() ? number.number : null;
}
