import { registerEnumType } from 'type-graphql';

export const PaymentOption = {
  PROVIDER_ONE: 'PROVIDER_ONE',
  PROVIDER_TWO: 'PROVIDER_TWO',
  ONSITE: 'ONSITE',
  REDIRECT: 'REDIRECT',
  CUSTOM: 'CUSTOM',
  PAY_LATER: 'PAY_LATER',
  CHECK: 'CHECK',
} as const;
export type PaymentOption = keyof typeof PaymentOption;

registerEnumType(PaymentOption, {
  name: 'PaymentOption',
  description: 'Payment method of a tournament.',
  valuesConfig: {
    PROVIDER_ONE: { description: 'Through the first payment provider. A payment request is prepared.' },
    PROVIDER_TWO: { description: 'Through the second payment provider. A payment request is prepared.' },
    ONSITE: { description: 'On site.' },
    REDIRECT: { description: 'On another website.' },
    CUSTOM: { description: 'By a custom method of the organizer.' },
    PAY_LATER: { description: 'Pay later.' },
    CHECK: { description: 'By check.' },
  },
});
