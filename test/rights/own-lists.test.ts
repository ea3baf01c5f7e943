import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
  ben = await app.person({ firstName: 'Ben', lastName: 'Ito' });
  await setUp();
});
afterAll(() => app.close());

const as = ({ user }: Person) => ({ user });

const setUp = () =>
  app.graphql(`mutation {
      a: createRegistration(input: { id: "bens-entry", userId: "${ben.id}" }) { id }
      b: createEventRegistration(input: { id: "bens-event", userId: "${ben.id}" }) { id }
      c: createInvoice(input: { id: "anas-invoice", userId: "${ana.id}" }) { id }
      d: createInvoice(input: { id: "bens-invoice", userId: "${ben.id}", registrationId: "bens-entry" }) { id }
      e: createInvoiceItem(input: { invoiceId: "anas-invoice" }) { id }
      f: createInvoiceItem(input: { invoiceId: "bens-invoice", eventRegistrationId: "bens-event" }) { id }
      g: createPayment(input: { invoiceId: "anas-invoice" }) { id }
      h: createPayment(input: { invoiceId: "bens-invoice", registrationId: "bens-entry" }) { id }
    }`);

describe('what belongs to an invoice', () => {
  const lists = '{ items: invoiceItems(filter: $items) { totalCount } payments(filter: $payments) { totalCount } }';
  const counts = async (filter: object, who = ana) => {
    const query = `query ($items: InvoiceItemFilter, $payments: PaymentFilter) ${lists}`;
    const { body } = await app.rest('POST', '/graphql', as(who), { query, variables: { items: filter, payments: filter } });
    return [
      body.data.items?.totalCount,
      body.data.payments?.totalCount,
      ...(body.errors ?? []).map(({ message }: Error) => message),
    ];
  };
  const refused = [
    undefined,
    undefined,
    'only for: platform or the user whose invoice items they are',
    'only for: platform or the user whose payments they are',
  ];

  test.each<[string, object, unknown[]]>([
    ['without a filter', {}, [1, 1]],
    ['of the own invoice', { invoiceId: { eq: 'anas-invoice' } }, [1, 1]],
    ['of any but that of another', { not: { invoiceId: { eq: 'bens-invoice' } } }, [1, 1]],
    ['of the invoice of another', { invoiceId: { eq: 'bens-invoice' } }, refused],
    ['of an invoice that is not there, which is said of none', { invoiceId: { eq: 'nobodys-invoice' } }, refused],
    ['of the own invoice, by its record', { invoice: { id: { eq: 'anas-invoice' } } }, [1, 1]],
    ['of the invoice of another, by its record', { invoice: { id: { eq: 'bens-invoice' } } }, refused],
    ['of both', { or: [{ invoiceId: { in: ['anas-invoice', 'bens-invoice'] } }] }, refused],
    ['of what is not on any', { invoiceId: { isNull: true } }, refused],
    ['of what is not unlike that of another', { not: { and: [{ invoiceId: { ne: 'bens-invoice' } }] } }, refused],
  ])('is listed %s', async (_, filter, expected) => {
    expect(await counts(filter)).toEqual(expected);
  });

  const below = (who: Person) =>
    app.rest('POST', '/graphql', as(who), {
      query: `{ registration(id: "bens-entry") { invoices { totalCount } payments { totalCount } }
        eventRegistration(id: "bens-event") { invoiceItems { totalCount } }
        payments(filter: { registrationId: { eq: "bens-entry" } }) { totalCount } }`,
    });

  test('of the entry of another is refused, unless the caller paid for it', async () => {
    const one = { totalCount: 1 };
    const all = { registration: { invoices: one, payments: one }, eventRegistration: { invoiceItems: one }, payments: one };
    expect((await below(ben)).body).toEqual({ data: all, extensions: { cost: { cost: 8, limit: 200_000 } } });
    const { body } = await below(ana);
    expect([
      body.data,
      body.errors.map(({ path, extensions }: { path: string[]; extensions: object }) => [path, extensions]),
    ]).toEqual([
      { registration: { invoices: null, payments: null }, eventRegistration: { invoiceItems: null }, payments: null },
      [['registration', 'invoices'], ['registration', 'payments'], ['eventRegistration', 'invoiceItems'], ['payments']].map(
        (path) => [path, { code: 'FORBIDDEN' }],
      ),
    ]);
    await app.graphql(`mutation {
      a: createPayment(input: { invoiceId: "anas-invoice", registrationId: "bens-entry" }) { id }
      b: createInvoiceItem(input: { invoiceId: "anas-invoice", eventRegistrationId: "bens-event" }) { id }
    }`);
    expect((await below(ana)).body.data).toEqual({ ...all, registration: { invoices: null, payments: one } });
  });
});

test.each<[string, number | null]>([
  ['{ not: { userId: { eq: ME } } }', null],
  ['{ userId: { ne: ME } }', null],
  ['{ userId: { isNull: true } }', null],
  ['{ user: { id: { eq: "somebody" } } }', null],
  ['{ user: { id: { eq: ME } } }', 1],
  ['{ not: { user: { id: { eq: ME } } } }', null],
  ['{ not: { not: { userId: { eq: "somebody" } } } }', null],
  ['{ not: { userId: { eq: "somebody" } } }', 1],
  ['{ userId: { ne: "somebody" } }', 1],
  ['{ userId: { isNull: false } }', 1],
])('invoices of %s', async (filter, count) => {
  const { body } = await app.rest('POST', '/graphql', as(ana), {
    query: `{ invoices(filter: ${filter.replace('ME', JSON.stringify(ana.id))}) { totalCount } }`,
  });
  expect(body.data.invoices?.totalCount ?? null).toBe(count);
});
