import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Item = { id?: string; invoiceId?: string | null; currency?: string | null; unitPrice?: unknown; units?: number };

/** Creates or upserts an invoice item. Returns its ID, or the error. */
async function write(kind: 'create' | 'upsert', item: Item): Promise<string> {
  const field = `${kind}InvoiceItem`;
  const answer = await app.graphql(`mutation ($input: InvoiceItemInput!) { ${field}(input: $input) { id } }`, { input: item });
  return answer.errors?.[0] ?? answer[field].id;
}

const update = async (id: string, input: Item & { title?: string }): Promise<string> => {
  const mutation = 'mutation ($id: ID!, $input: InvoiceItemInput!) { updateInvoiceItem(id: $id, input: $input) { id } }';
  const answer = await app.graphql(mutation, { id, input });
  return answer.errors?.[0] ?? answer.updateInvoiceItem.id;
};

const currencyConflict = (currency: string, other: string): string =>
  `CONFLICT: an invoice has one currency: this item is in ${currency}, another one of the invoice is in ${other}`;

/** Inserts invoice items in several currencies. Earlier versions allowed several currencies in one invoice. */
const insertLegacyItems = (invoiceId: string, ...items: [currency: string | null, price: string][]) =>
  Promise.all(
    items.map(([currency, price], index) =>
      app.sql.rows('insert into invoice_item (id, invoice_id, currency, unit_price, units) values ($1, $2, $3, $4, 2)', [
        `${invoiceId}-${index}`,
        invoiceId,
        currency,
        price,
      ]),
    ),
  );

async function amountsOf(id: string) {
  await app.graphql('mutation ($id: ID) { upsertInvoice(input: { id: $id }) { id } }', { id });
  const query = '($id: ID!) { invoice(id: $id) { total paid balance amounts { legacy { currency } total paid balance } } }';
  return (await app.graphql(`query ${query}`, { id })).invoice;
}

describe('the amounts of an invoice', () => {
  test('are exact decimals in the currency of its items; items without a currency count too', async () => {
    await write('upsert', { invoiceId: 'exact', currency: 'usd', unitPrice: '12345678901234567.10', units: 1 });
    await write('upsert', { invoiceId: 'exact', currency: 'USD', unitPrice: 0.2, units: 3 });
    await write('upsert', { invoiceId: 'exact', currency: '', unitPrice: '-0.700', units: 1 });
    await app.graphql('mutation { upsertPayment(input: { invoiceId: "exact", amount: "0.050" }) { id } }');
    const amount = { total: '12345678901234567', paid: '0.05', balance: '12345678901234566.95' };
    expect(await amountsOf('exact')).toEqual({ ...amount, amounts: [{ legacy: { currency: 'USD' }, ...amount }] });
  });

  test('have no currency when no item has one', async () => {
    await write('upsert', { invoiceId: 'nameless', unitPrice: '5', units: 2 });
    const amount = { total: '10', paid: '0', balance: '10' };
    expect(await amountsOf('nameless')).toEqual({ ...amount, amounts: [{ legacy: { currency: null }, ...amount }] });
  });

  test('have no currency when there are only payments', async () => {
    await app.graphql('mutation { upsertPayment(input: { invoiceId: "empty", amount: 4 }) { id } }');
    const amount = { total: '0', paid: '4', balance: '-4' };
    expect(await amountsOf('empty')).toEqual({ ...amount, amounts: [{ legacy: { currency: null }, ...amount }] });
  });

  test('are per currency for a legacy invoice with several currencies', async () => {
    await insertLegacyItems('mixed', ['USD', '1.5'], ['eur', '2'], ['EUR', '3'], [null, '4'], ['', '0.5']);
    await app.graphql('mutation { upsertPayment(input: { invoiceId: "mixed", amount: "1" }) { id } }');
    const unknown = { paid: null, balance: null };
    expect(await amountsOf('mixed')).toEqual({
      total: null,
      ...unknown,
      amounts: [
        { legacy: { currency: 'EUR' }, total: '10', ...unknown },
        { legacy: { currency: 'USD' }, total: '3', ...unknown },
        { legacy: { currency: null }, total: '9', ...unknown },
      ],
    });
  });
});

describe('the currency of an item', () => {
  test('cannot differ from the other items of the invoice when it is created, updated or moved', async () => {
    await write('create', { id: 'first', invoiceId: 'one', currency: 'USD' });
    await write('create', { id: 'moved', invoiceId: 'other', currency: 'EUR' });
    await write('create', { id: 'without', invoiceId: 'one' });
    expect({
      created: await write('create', { id: 'second', invoiceId: 'one', currency: 'eur' }),
      upserted: await write('upsert', { id: 'second', invoiceId: 'one', currency: 'EUR' }),
      sameInLowerCase: await write('upsert', { id: 'second', invoiceId: 'one', currency: 'usd' }),
      updated: await update('second', { currency: 'EUR' }),
      movedByUpdate: await update('moved', { invoiceId: 'one' }),
      movedByUpsert: await write('upsert', { id: 'moved', invoiceId: 'one' }),
      movedWithSameCurrency: await update('moved', { invoiceId: 'one', currency: 'Usd' }),
      addedLater: await update('without', { currency: 'GBP' }),
      none: await update('without', { currency: null }),
    }).toEqual({
      created: currencyConflict('EUR', 'USD'),
      upserted: currencyConflict('EUR', 'USD'),
      sameInLowerCase: 'second',
      updated: currencyConflict('EUR', 'USD'),
      movedByUpdate: currencyConflict('EUR', 'USD'),
      movedByUpsert: currencyConflict('EUR', 'USD'),
      movedWithSameCurrency: 'moved',
      addedLater: currencyConflict('GBP', 'USD'),
      none: 'without',
    });
    expect((await amountsOf('one')).amounts.map(({ legacy }: { legacy: { currency: string } }) => legacy.currency)).toEqual([
      'USD',
    ]);
  });

  test('may change when no other item of the invoice has one', async () => {
    await write('upsert', { id: 'only', invoiceId: 'alone', currency: 'USD' });
    await write('upsert', { invoiceId: 'alone' });
    expect(await update('only', { currency: 'EUR' })).toBe('only');
  });

  test('may be any for items without an invoice', async () => {
    expect({
      noInvoice: await write('create', { id: 'loose-1', currency: 'USD' }),
      emptyInvoiceId: await write('create', { id: 'loose-2', currency: 'EUR', invoiceId: '' }),
    }).toEqual({ noInvoice: 'loose-1', emptyInvoiceId: 'loose-2' });
  });

  test('is the same for concurrent first items of an invoice; the others are rejected', async () => {
    // After half a second, writes check the version of the reference data again. This check must not need a second connection.
    await sleep(600);
    const currencies = Array.from({ length: 12 }, (_, index) => (index % 2 ? 'USD' : 'EUR'));
    const answers = await Promise.all(
      currencies.map((currency, index) => write('upsert', { id: `race-${index}`, invoiceId: 'race', currency })),
    );
    const rows = await app.sql.rows(`select distinct currency from invoice_item where invoice_id = 'race'`);
    expect({
      currencyCount: rows.length,
      writtenCount: answers.filter((answer) => answer.startsWith('race-')).length,
      conflictCount: answers.filter((answer) => answer.startsWith('CONFLICT: an invoice has one')).length,
    }).toEqual({ currencyCount: 1, writtenCount: 6, conflictCount: 6 });
  });

  test('is compared through an index, for any number of items', async () => {
    const insertMany = `insert into invoice_item (id, invoice_id, currency) select 'many-' || n, 'many', 'USD' from generate_series(1, 3000) n`;
    await app.sql.rows(insertMany);
    await app.sql.rows('analyze invoice_item');
    const statements: string[] = [];
    const record = (statement: unknown) => void statements.push(String(statement));
    subscribe('courtside:statement', record);
    const answer = await write('create', { invoiceId: 'many', currency: 'EUR' }).finally(() =>
      unsubscribe('courtside:statement', record),
    );
    expect(answer).toBe(currencyConflict('EUR', 'USD'));
    const comparison = statements.find((statement) => statement.includes('"invoice_item" where'));
    const plan = await app.sql.rows(`explain (generic_plan) ${comparison}`);
    const scans = plan.map((row) => / using \w+ on | Scan on |Sort/.exec(String(row['QUERY PLAN']))?.[0]).filter(Boolean);
    expect(scans).toEqual(Array(2).fill(' using invoice_item_currency_idx on '));
  });

  test('of a legacy invoice with several currencies can change once one currency remains, while its title can always change', async () => {
    await insertLegacyItems('former', ['USD', '1'], ['EUR', '2'], ['EUR', '3']);
    expect({
      title: await update('former-0', { title: 'Doubles' }),
      conflicting: await update('former-1', { currency: 'EUR' }),
      unified: await update('former-0', { currency: 'EUR' }),
    }).toEqual({ title: 'former-0', conflicting: currencyConflict('EUR', 'USD'), unified: 'former-0' });
  });

  test('in /v1 is rejected with 409 when it differs, and unit prices are numbers', async () => {
    const send = async (payload: object) => {
      const { status, body } = await app.rest('POST', '/v1/pb_invoice_items/upsert', app.platform, { payload });
      return { status, message: body.Message, unitPrice: body.result?.unitPrice };
    };
    const item = { invoiceHeaderId: 'legacy', unitPrice: '12.50' };
    expect({
      first: await send({ ...item, invoiceItemId: 'v1-1', currencyPaidIn: 'USD' }),
      otherCurrency: await send({ ...item, invoiceItemId: 'v1-2', currencyPaidIn: 'EUR' }),
      noCurrency: await send({ ...item, invoiceItemId: 'v1-2', currencyPaidIn: '' }),
    }).toEqual({
      first: { status: 200, message: undefined, unitPrice: 12.5 },
      otherCurrency: {
        status: 409,
        message: currencyConflict('EUR', 'USD').replace('CONFLICT: ', ''),
        unitPrice: undefined,
      },
      noCurrency: { status: 200, message: undefined, unitPrice: 12.5 },
    });
  });
});
