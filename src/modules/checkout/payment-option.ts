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
  description: 'A way to pay.',
  valuesConfig: {
    PROVIDER_ONE: { description: 'Through the first payment provider, for which a request is prepared.' },
    PROVIDER_TWO: { description: 'Through the second payment provider, for which a request is prepared.' },
    ONSITE: { description: 'On site.' },
    REDIRECT: { description: 'On another website.' },
    CUSTOM: { description: "In the organiser's own way." },
    PAY_LATER: { description: 'Later.' },
    CHECK: { description: 'By check.' },
  },
});
