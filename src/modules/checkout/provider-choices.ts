import { choices } from '../../kernel/declare/choices.js';

// The words of the first payment provider, as its notifications have them.

export const providerPaymentTypes = choices('ProviderPaymentType', 'How the payer pays the provider.', {
  INSTANT: { raw: ['instant'], description: 'From a balance or a card, at once.' },
  ECHECK: { raw: ['echeck'], description: 'From a bank account, within days.' },
});

export const providerPaymentStatuses = choices('ProviderPaymentStatus', 'How far a payment is at the provider.', {
  CREATED: { raw: ['Created'], description: 'It was made, and is not paid.' },
  PENDING: { raw: ['Pending'], description: 'It waits; `pendingReason` says for what.' },
  PROCESSED: { raw: ['Processed'], description: 'It was accepted.' },
  COMPLETED: { raw: ['Completed'], description: 'The money is there.' },
  DENIED: { raw: ['Denied'], description: 'The receiver refused it.' },
  FAILED: { raw: ['Failed'], description: "It failed at the payer's bank." },
  EXPIRED: { raw: ['Expired'], description: 'It was authorized and never captured.' },
  VOIDED: { raw: ['Voided'], description: 'Its authorization was taken back.' },
  REFUNDED: { raw: ['Refunded'], description: 'The receiver paid it back.' },
  PARTIALLY_REFUNDED: { raw: ['Partially_Refunded'], description: 'The receiver paid a part of it back.' },
  REVERSED: { raw: ['Reversed'], description: 'The provider took it back.' },
  CANCELED_REVERSAL: { raw: ['Canceled_Reversal'], description: 'The provider took it back, and gave it again.' },
});

export const providerChecks = choices('ProviderCheck', 'How the check of a notification ended.', {
  VERIFIED: { raw: ['VERIFIED'], description: 'It is from the provider.' },
  INVALID: { raw: ['INVALID'], description: 'It is not from the provider, or was changed.' },
});

export const addressStatuses = choices('PayerAddressStatus', 'Whether the provider has confirmed an address.', {
  CONFIRMED: { raw: ['confirmed'], description: 'It is confirmed.' },
  UNCONFIRMED: { raw: ['unconfirmed'], description: 'It is not confirmed.' },
});

export const accountStatuses = choices('PayerAccountStatus', 'Whether the provider has verified an account.', {
  VERIFIED: { raw: ['verified'], description: 'It is verified.' },
  UNVERIFIED: { raw: ['unverified'], description: 'It is not verified.' },
});

export const merchantAccountTypes = choices('MerchantAccountType', 'A type of account at the second payment provider.', {
  STANDARD: { raw: ['standard'], description: 'The merchant runs it.' },
  EXPRESS: { raw: ['express'], description: 'The merchant and the platform run it.' },
  CUSTOM: { raw: ['custom'], description: 'The platform runs it.' },
});
