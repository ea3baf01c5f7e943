/** Maximum number of decimal places of an amount. Amounts are never rounded. */
const maximumFractionDigits = 100;

/** Formats a decimal number of any precision with all of its digits. */
export const formatDecimal = (value: string): string =>
  new Intl.NumberFormat('en', { maximumFractionDigits }).format(value as Intl.StringNumericLiteral);

/** Formats an amount with its currency, such as `€12.50` or `CA$12.50`. The currency is an ISO 4217 code. */
export const formatMoney = (amount: string, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, maximumFractionDigits }).format(amount as Intl.StringNumericLiteral);
