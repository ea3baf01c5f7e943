import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

type Item = { id?: string; invoiceId?: string | null; currencyRaw?: string | null; unitPrice?: unknown; units?: number };

/** Writes an item: its id, or the error. */
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

const refused = (currency: string, other: string): string =>
  `CONFLICT: an invoice has one currency: this item is in ${currency}, another one of the invoice is in ${other}`;

/** Items as they were before an invoice had one currency. */
const old = (invoiceId: string, ...items: [currency: string | null, price: string][]) =>
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
  const query = '($id: ID!) { invoice(id: $id) { total paid balance amounts { currencyRaw total paid balance } } }';
  return (await app.graphql(`query ${query}`, { id })).invoice;
}

describe('the amounts of an invoice', () => {
  test('are exact decimal text, in the one currency of its items; an item that names none is in it too', async () => {
    await write('upsert', { invoiceId: 'exact', currencyRaw: 'usd', unitPrice: '12345678901234567.10', units: 1 });
    await write('upsert', { invoiceId: 'exact', currencyRaw: 'USD', unitPrice: 0.2, units: 3 });
    await write('upsert', { invoiceId: 'exact', currencyRaw: '', unitPrice: '-0.700', units: 1 });
    await app.graphql('mutation { upsertPayment(input: { invoiceId: "exact", amount: "0.050" }) { id } }');
    const amount = { total: '12345678901234567', paid: '0.05', balance: '12345678901234566.95' };
    expect(await amountsOf('exact')).toEqual({ ...amount, amounts: [{ currencyRaw: 'USD', ...amount }] });
  });

  test('have no currency where no item names one, or there is none', async () => {
    await write('upsert', { invoiceId: 'nameless', unitPrice: '5', units: 2 });
    await app.graphql('mutation { upsertPayment(input: { invoiceId: "empty", amount: 4 }) { id } }');
    const ten = { total: '10', paid: '0', balance: '10' };
    const less = { total: '0', paid: '4', balance: '-4' };
    expect([await amountsOf('nameless'), await amountsOf('empty')]).toEqual([
      { ...ten, amounts: [{ currencyRaw: null, ...ten }] },
      { ...less, amounts: [{ currencyRaw: null, ...less }] },
    ]);
  });

  test('are not added across currencies: what is older than the rule stays readable, currency by currency', async () => {
    await old('mixed', ['USD', '1.5'], ['eur', '2'], ['EUR', '3'], [null, '4'], ['', '0.5']);
    await app.graphql('mutation { upsertPayment(input: { invoiceId: "mixed", amount: "1" }) { id } }');
    const unknown = { paid: null, balance: null };
    expect(await amountsOf('mixed')).toEqual({
      total: null,
      ...unknown,
      amounts: [
        { currencyRaw: 'EUR', total: '10', ...unknown },
        { currencyRaw: 'USD', total: '3', ...unknown },
        { currencyRaw: null, total: '9', ...unknown },
      ],
    });
  });
});

describe('an item in another currency than the others of its invoice is refused', () => {
  test('when it is created, upserted, changed or moved; case does not matter, and who names none goes with any', async () => {
    await write('create', { id: 'first', invoiceId: 'one', currencyRaw: 'USD' });
    await write('create', { id: 'moved', invoiceId: 'other', currencyRaw: 'EUR' });
    await write('create', { id: 'silent', invoiceId: 'one' });
    expect([
      await write('create', { id: 'second', invoiceId: 'one', currencyRaw: 'eur' }),
      await write('upsert', { id: 'second', invoiceId: 'one', currencyRaw: 'EUR' }),
      await write('upsert', { id: 'second', invoiceId: 'one', currencyRaw: 'usd' }),
      await update('second', { currencyRaw: 'EUR' }),
      await update('moved', { invoiceId: 'one' }),
      await write('upsert', { id: 'moved', invoiceId: 'one' }),
      await update('moved', { invoiceId: 'one', currencyRaw: 'Usd' }),
      await update('silent', { currencyRaw: 'GBP' }),
      await update('silent', { currencyRaw: null }),
    ]).toEqual([
      refused('EUR', 'USD'),
      refused('EUR', 'USD'),
      'second',
      refused('EUR', 'USD'),
      refused('EUR', 'USD'),
      refused('EUR', 'USD'),
      'moved',
      refused('GBP', 'USD'),
      'silent',
    ]);
    expect((await amountsOf('one')).amounts.map(({ currencyRaw }: { currencyRaw: string }) => currencyRaw)).toEqual(['USD']);
  });

  test('but not when it is the only one that names a currency, or stands on no invoice', async () => {
    await write('upsert', { id: 'only', invoiceId: 'alone', currencyRaw: 'USD' });
    await write('upsert', { invoiceId: 'alone' });
    expect([
      await update('only', { currencyRaw: 'EUR' }),
      await write('create', { id: 'loose-1', currencyRaw: 'USD' }),
      await write('create', { id: 'loose-2', currencyRaw: 'EUR', invoiceId: '' }),
    ]).toEqual(['only', 'loose-1', 'loose-2']);
  });

  test('also of many at the same moment, where the invoice is not there yet', async () => {
    const currencies = Array.from({ length: 12 }, (_, index) => (index % 2 ? 'USD' : 'EUR'));
    const answers = await Promise.all(
      currencies.map((currency, index) => write('upsert', { id: `race-${index}`, invoiceId: 'race', currencyRaw: currency })),
    );
    const rows = await app.sql.rows(`select distinct currency from invoice_item where invoice_id = 'race'`);
    const kept = answers.filter((answer) => answer.startsWith('race-'));
    expect([
      rows.length,
      kept.length,
      answers.filter((answer) => answer.startsWith('CONFLICT: an invoice has one')).length,
    ]).toEqual([1, 6, 6]);
  });

  test('by an index, however many items the invoice has', async () => {
    const many = `insert into invoice_item (id, invoice_id, currency) select 'many-' || n, 'many', 'USD' from generate_series(1, 3000) n`;
    await app.sql.rows(many);
    await app.sql.rows('analyze invoice_item');
    const texts: string[] = [];
    const hear = (text: unknown) => void texts.push(String(text));
    subscribe('courtside:statement', hear);
    const answer = await write('create', { invoiceId: 'many', currencyRaw: 'EUR' }).finally(() =>
      unsubscribe('courtside:statement', hear),
    );
    expect(answer).toBe(refused('EUR', 'USD'));
    const plan = await app.sql.rows(`explain (generic_plan) ${texts.find((text) => text.includes('"invoice_item" where'))}`);
    const reads = plan.map((row) => / using \w+ on | Scan on |Sort/.exec(String(row['QUERY PLAN']))?.[0]).filter(Boolean);
    expect(reads).toEqual(Array(2).fill(' using invoice_item_currency_idx on '));
  });

  test('while an older invoice of several may still get new titles, and become one of one currency', async () => {
    await old('former', ['USD', '1'], ['EUR', '2'], ['EUR', '3']);
    expect([
      await update('former-0', { title: 'Doubles' }),
      await update('former-1', { currencyRaw: 'EUR' }),
      await update('former-0', { currencyRaw: 'EUR' }),
    ]).toEqual(['former-0', refused('EUR', 'USD'), 'former-0']);
  });

  test('in /v1 with a 409, whose amounts are numbers with all their digits', async () => {
    const send = async (payload: object) => {
      const { status, body } = await app.rest('POST', '/v1/pb_invoice_items/upsert', app.platform, { payload });
      return [status, body.Message ?? body.result.unitPrice];
    };
    const item = { invoiceHeaderId: 'legacy', unitPrice: '12.50' };
    expect([
      await send({ ...item, invoiceItemId: 'v1-1', currencyPaidIn: 'USD' }),
      await send({ ...item, invoiceItemId: 'v1-2', currencyPaidIn: 'EUR' }),
      await send({ ...item, invoiceItemId: 'v1-2', currencyPaidIn: '' }),
    ]).toEqual([
      [200, 12.5],
      [409, refused('EUR', 'USD').replace('CONFLICT: ', '')],
      [200, 12.5],
    ]);
  });
});
