import { enumeration } from '../../../kernel/declare/enumeration.js';
import { choices } from '../../../kernel/declare/scalars/choices.js';

export const PaymentOption = enumeration('PaymentOption', 'Payment method of a tournament.', {
  PROVIDER_ONE: 'Through the first payment provider. A payment request is prepared.',
  PROVIDER_TWO: 'Through the second payment provider. A payment request is prepared.',
  ONSITE: 'On site.',
  REDIRECT: 'On another website.',
  CUSTOM: 'Custom payment method of the organizer.',
  PAY_LATER: 'Pay later.',
  CHECK: 'By check.',
});
export type PaymentOption = keyof typeof PaymentOption;

export const PaymentProvider = enumeration('PaymentProvider', 'Payment provider.', {
  PROVIDER_ONE: 'First payment provider.',
  PROVIDER_TWO: 'Second payment provider.',
});
export type PaymentProvider = keyof typeof PaymentProvider;

// The stored values of the following enumerations are the values that the payment providers send.

export const providerPaymentTypes = choices('ProviderPaymentType', 'Type of a payment at the provider.', {
  INSTANT: { raw: ['instant'], description: 'Paid immediately, from a balance or by card.' },
  ECHECK: { raw: ['echeck'], description: 'Paid within days, from a bank account.' },
});

export const providerPaymentStatuses = choices('ProviderPaymentStatus', 'Status of a payment at the provider.', {
  CREATED: { raw: ['Created'], description: 'Created but not paid.' },
  PENDING: { raw: ['Pending'], description: 'Pending. `pendingReason` contains the reason.' },
  PROCESSED: { raw: ['Processed'], description: 'Accepted.' },
  COMPLETED: { raw: ['Completed'], description: 'Paid.' },
  DENIED: { raw: ['Denied'], description: 'Denied by the recipient.' },
  FAILED: { raw: ['Failed'], description: "Failed at the payer's bank." },
  EXPIRED: { raw: ['Expired'], description: 'Authorized but never captured.' },
  VOIDED: { raw: ['Voided'], description: 'The authorization was voided.' },
  REFUNDED: { raw: ['Refunded'], description: 'Refunded by the recipient.' },
  PARTIALLY_REFUNDED: { raw: ['Partially_Refunded'], description: 'Partially refunded by the recipient.' },
  REVERSED: { raw: ['Reversed'], description: 'Reversed by the provider.' },
  CANCELED_REVERSAL: { raw: ['Canceled_Reversal'], description: 'The provider canceled the reversal.' },
});

export const providerChecks = choices('ProviderCheck', 'Result of verifying a notification.', {
  VERIFIED: { raw: ['VERIFIED'], description: 'The provider sent the notification.' },
  INVALID: { raw: ['INVALID'], description: 'The provider did not send the notification, or it was modified.' },
});

export const addressStatuses = choices('PayerAddressStatus', 'Whether the provider has confirmed an address.', {
  CONFIRMED: { raw: ['confirmed'], description: 'Confirmed.' },
  UNCONFIRMED: { raw: ['unconfirmed'], description: 'Not confirmed.' },
});

export const accountStatuses = choices('PayerAccountStatus', 'Whether the provider has verified an account.', {
  VERIFIED: { raw: ['verified'], description: 'Verified.' },
  UNVERIFIED: { raw: ['unverified'], description: 'Not verified.' },
});

export const merchantAccountTypes = choices('MerchantAccountType', 'Type of an account at the second payment provider.', {
  STANDARD: { raw: ['standard'], description: 'Managed by the merchant.' },
  EXPRESS: { raw: ['express'], description: 'Managed by the merchant and the platform.' },
  CUSTOM: { raw: ['custom'], description: 'Managed by the platform.' },
});
