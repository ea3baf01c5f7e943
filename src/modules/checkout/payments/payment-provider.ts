import { registerEnumType } from 'type-graphql';

export const PaymentProvider = { PROVIDER_ONE: 'PROVIDER_ONE', PROVIDER_TWO: 'PROVIDER_TWO' } as const;
export type PaymentProvider = keyof typeof PaymentProvider;

registerEnumType(PaymentProvider, {
  name: 'PaymentProvider',
  description: 'Payment provider.',
  valuesConfig: {
    PROVIDER_ONE: { description: 'First payment provider.' },
    PROVIDER_TWO: { description: 'Second payment provider.' },
  },
});
