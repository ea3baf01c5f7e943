import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

let app: TestApp;
let ana: Person;
let ben: Person;
beforeAll(async () => {
  app = await startApp();
  ana = await app.person({ firstName: 'Ana', lastName: 'Lopez' });
  ben = await app.person({ firstName: 'Ben', lastName: 'Ito' });
  await createInvoices();
});
afterAll(() => app.close());

const as = ({ user }: Person) => ({ user });

const createInvoices = () =>
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

describe('a list of invoice items or payments', () => {
  const lists = '{ items: invoiceItems(filter: $items) { totalCount } payments(filter: $payments) { totalCount } }';
  const counts = async (filter: object) => {
    const query = `query ($items: InvoiceItemFilter, $payments: PaymentFilter) ${lists}`;
    const { body } = await app.rest('POST', '/graphql', as(ana), { query, variables: { items: filter, payments: filter } });
    return {
      items: body.data.items?.totalCount,
      payments: body.data.payments?.totalCount,
      errors: (body.errors ?? []).map(({ message }: Error) => message),
    };
  };
  const permitted = { items: 1, payments: 1, errors: [] };
  const forbidden = {
    items: undefined,
    payments: undefined,
    errors: [
      'Not allowed: requires a platform token, a user token with the role ADMIN, or a user token of the owner of the invoice items',
      'Not allowed: requires a platform token, a user token with the role ADMIN, or a user token of the owner of the payments',
    ],
  };

  test.each<[string, object, object]>([
    ['without a filter is permitted', {}, permitted],
    ['of the caller’s invoice is permitted', { invoiceId: { eq: 'anas-invoice' } }, permitted],
    ['that excludes the invoice of another user is permitted', { not: { invoiceId: { eq: 'bens-invoice' } } }, permitted],
    ['of the invoice of another user is forbidden', { invoiceId: { eq: 'bens-invoice' } }, forbidden],
    ['of an unknown invoice is forbidden', { invoiceId: { eq: 'nobodys-invoice' } }, forbidden],
    ['of the caller’s invoice by relation is permitted', { invoice: { id: { eq: 'anas-invoice' } } }, permitted],
    ['of the invoice of another user by relation is forbidden', { invoice: { id: { eq: 'bens-invoice' } } }, forbidden],
    ['of both invoices is forbidden', { or: [{ invoiceId: { in: ['anas-invoice', 'bens-invoice'] } }] }, forbidden],
    ['without an invoice is forbidden', { invoiceId: { isNull: true } }, forbidden],
    [
      'of the invoice of another user by double negation is forbidden',
      { not: { and: [{ invoiceId: { ne: 'bens-invoice' } }] } },
      forbidden,
    ],
  ])('%s', async (_, filter, expected) => {
    expect(await counts(filter)).toEqual(expected);
  });

  const readBensEntry = (caller: Person) =>
    app.rest('POST', '/graphql', as(caller), {
      query: `{ registration(id: "bens-entry") { invoices { totalCount } payments { totalCount } }
        eventRegistration(id: "bens-event") { invoiceItems { totalCount } }
        payments(filter: { registrationId: { eq: "bens-entry" } }) { totalCount } }`,
    });

  test('of the registration of another user is forbidden, unless the caller paid for it', async () => {
    const one = { totalCount: 1 };
    const all = { registration: { invoices: one, payments: one }, eventRegistration: { invoiceItems: one }, payments: one };
    expect((await readBensEntry(ben)).body).toEqual({ data: all, extensions: { cost: { cost: 8, limit: 200_000 } } });
    const { body } = await readBensEntry(ana);
    const errors = body.errors.map(({ path, extensions }: { path: string[]; extensions: object }) => ({ path, extensions }));
    const extensions = { code: 'FORBIDDEN' };
    expect({ data: body.data, errors }).toEqual({
      data: {
        registration: { invoices: null, payments: null },
        eventRegistration: { invoiceItems: null },
        payments: null,
      },
      errors: [
        { path: ['registration', 'invoices'], extensions },
        { path: ['registration', 'payments'], extensions },
        { path: ['eventRegistration', 'invoiceItems'], extensions },
        { path: ['payments'], extensions },
      ],
    });
    await app.graphql(`mutation {
      a: createPayment(input: { invoiceId: "anas-invoice", registrationId: "bens-entry" }) { id }
      b: createInvoiceItem(input: { invoiceId: "anas-invoice", eventRegistrationId: "bens-event" }) { id }
    }`);
    expect((await readBensEntry(ana)).body.data).toEqual({ ...all, registration: { invoices: null, payments: one } });
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
])('a player who filters invoices by %s gets the count %s', async (filter, count) => {
  const { body } = await app.rest('POST', '/graphql', as(ana), {
    query: `{ invoices(filter: ${filter.replace('ME', JSON.stringify(ana.id))}) { totalCount } }`,
  });
  expect(body.data.invoices?.totalCount ?? null).toBe(count);
});
