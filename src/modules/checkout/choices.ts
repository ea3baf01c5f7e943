import { choices } from '../../kernel/declare/choices.js';

/** What checkouts are about, by the titles of the module types. */
export const moduleKinds = choices('ModuleKind', 'A kind of thing that can be paid for, by the titles in `moduleTypes`.', {
  TOURNAMENT: { raw: ['Tournaments', 'Tournament'], description: 'A tournament.' },
  LEAGUE: { raw: ['Leagues', 'League'], description: 'A league.' },
  CLUB: { raw: ['Clubs', 'Club'], description: 'A club.' },
  CLINIC: { raw: ['Clinics', 'Clinic'], description: 'A clinic.' },
});

export const invoiceItemKinds = choices('InvoiceItemType', 'A kind of what is paid for by one line of an invoice.', {
  EVENT: { raw: ['Event'], description: 'The entry in an event.' },
  REGISTRATION: { raw: ['Registration'], description: 'The registration as such.' },
  FEE: { raw: ['Fee'], description: 'A fee of the service or the platform.' },
  MERCHANDISE: { raw: ['Merchandise'], description: 'Something to take home.' },
  DISCOUNT: { raw: ['Discount'], description: 'Something that is taken off.' },
});

/** Platforms publish no numbers, so these are the ones that the service writes itself. */
export const discountTypes = choices(
  'DiscountType',
  'How a discount code makes a checkout cheaper, as this service numbers it.',
  {
    AMOUNT: { raw: [1], description: '1: it takes an amount of money off.' },
    EVERYTHING: { raw: [2], description: '2: it makes everything free.' },
  },
);

export const paymentMethods = choices('PaymentMethod', 'How something was paid, as this service numbers it.', {
  PROVIDER_ONE: { raw: [1], description: '1: through the first payment provider.' },
  PROVIDER_TWO: { raw: [2], description: '2: through the second payment provider.' },
  ONSITE: { raw: [3], description: '3: on site.' },
  CHECK: { raw: [4], description: '4: by check.' },
  REDIRECT: { raw: [5], description: '5: on another website.' },
  CUSTOM: { raw: [6], description: "6: in the organiser's own way." },
});
