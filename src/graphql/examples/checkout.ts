import type { Example } from './example.js';

export const checkout: Example = {
  title: 'Create the invoice for my registration (repeating the mutation returns the same invoice)',
  caller: 'user',
  query: `mutation Checkout($input: CheckoutInput!) {
  checkout(input: $input) {
    methods
    request { totalAmount currency { abbreviation } }
    invoice {
      id
      amounts { currency { abbreviation } total }
      items { nodes { type title unitPrice discountCode { code } } }
    }
  }
}`,
  variables: { input: { registrationId: 'demo-registration' } },
};
