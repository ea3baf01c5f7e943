import { choices } from '../../kernel/declare/scalars/choices.js';

/** Types of records that can be paid for. Their stored values are titles of module types. */
export const moduleKinds = choices('ModuleKind', 'Type of a record that can be paid for, as in `moduleTypes`.', {
  TOURNAMENT: { raw: ['Tournaments', 'Tournament'], description: 'A tournament.' },
  LEAGUE: { raw: ['Leagues', 'League'], description: 'A league.' },
  CLUB: { raw: ['Clubs', 'Club'], description: 'A club.' },
  CLINIC: { raw: ['Clinics', 'Clinic'], description: 'A clinic.' },
});

export const invoiceItemKinds = choices('InvoiceItemType', 'Type of an invoice item.', {
  EVENT: { raw: ['Event'], description: 'Entry in an event.' },
  REGISTRATION: { raw: ['Registration'], description: 'Registration for the tournament.' },
  FEE: { raw: ['Fee'], description: 'Fee of the service or the platform.' },
  MERCHANDISE: { raw: ['Merchandise'], description: 'Merchandise.' },
  DISCOUNT: { raw: ['Discount'], description: 'Discount on another item.' },
});

/** The interface document of `/v1` defines no numbers for these types. This service assigns its own. */
export const discountTypes = choices('DiscountType', 'Type of a discount, stored as a number that this service assigns.', {
  AMOUNT: { raw: [1], description: 'Amount of money. Stored as 1.' },
  EVERYTHING: { raw: [2], description: 'Everything is free. Stored as 2.' },
});

export const paymentMethods = choices('PaymentMethod', 'Payment method, stored as a number that this service assigns.', {
  PROVIDER_ONE: { raw: [1], description: 'Through the first payment provider. Stored as 1.' },
  PROVIDER_TWO: { raw: [2], description: 'Through the second payment provider. Stored as 2.' },
  ONSITE: { raw: [3], description: 'On site. Stored as 3.' },
  CHECK: { raw: [4], description: 'By check. Stored as 4.' },
  REDIRECT: { raw: [5], description: 'On another website. Stored as 5.' },
  CUSTOM: { raw: [6], description: 'Custom payment method of the organizer. Stored as 6.' },
});
