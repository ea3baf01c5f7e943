import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

/** Posts raw text and returns the raw response body, because JSON.parse would round numbers. */
async function postText(path: string, body: string): Promise<string> {
  const headers = { 'PB-API-TOKEN': app.platform.platform };
  return (await fetch(app.origin + path, { method: 'POST', headers, body })).text();
}

test('an amount keeps digits that a double would lose', async () => {
  const answer = await postText('/v1/pb_invoice_payments/upsert', '{"payload":{"paymentAmount":12345678901234567.89}}');
  expect(/"paymentAmount":([^,]*)/.exec(answer)?.[1]).toBe('12345678901234567.89');
});

test.each([
  ['1.2345678901234567891e2', '123.45678901234567891'],
  ['12345678901234567891E-10', '1234567890.1234567891'],
  ['-1.5e25', '-15000000000000000000000000'],
  ['1e21', '1000000000000000000000'],
  ['1.23456789e-10', '0.000000000123456789'],
  ['1.0e2', '100'],
])('the amount %s, which has an exponent, keeps its digits', async (sent, stored) => {
  const response = await postText('/v1/pb_invoice_items/upsert', `{"payload":{"invoiceItemId":"exponent","unitPrice":${sent}}}`);
  expect(/"unitPrice":([^,}]*)/.exec(response)?.[1]).toBe(stored);
});

test.each(['1.23456789e-15', '1e-21', '1e31'])('the amount %s, which has too many digits, is rejected', async (sent) => {
  const response = await postText('/v1/pb_invoice_items/upsert', `{"payload":{"invoiceItemId":"exponent","unitPrice":${sent}}}`);
  expect(response).toContain('payload.unitPrice: expected a decimal number with at most 30 digits before and 20 after the point');
});

test('an amount with hundreds of thousands of digits is rejected without delay', async () => {
  const amount = `1${'0'.repeat(400_000)}1e-400000`;
  const response = await postText('/v1/pb_invoice_items/upsert', `{"payload":{"unitPrice":${amount}}}`);
  expect(response).toContain('payload.unitPrice: expected a decimal number with at most 30 digits before and 20 after the point');
});

test('an upsert of an invoice item stores IDs of records that do not exist', async () => {
  const invoiceItem = { invoiceItemId: 'i1', invoiceHeaderId: 'nobody', discountCodeId: 'none', eventId: 'no-event' };
  const { body } = await app.rest('POST', '/v1/pb_invoice_items/upsert', app.platform, { payload: invoiceItem });
  expect(body.result).toMatchObject(invoiceItem);
});

test('the total amount of a provider request is returned as the text that was sent', async () => {
  const send = async (totalAmount: unknown) => {
    const { body } = await app.rest('POST', '/v1/pb_providerone_requests/upsert', app.platform, { payload: { totalAmount } });
    return body.result.totalAmount;
  };
  expect({ text: await send('10.50'), number: await send(10.5), missing: await send(null) }).toEqual({
    text: '10.50',
    number: '10.5',
    missing: '',
  });
});

test('an upsert sets absent fields to their defaults, except those in fieldsToOmit', async () => {
  const path = '/v1/pb_payment_activated_methods/upsert';
  const paymentActivatedMethodId = 'setup';
  const first = { paymentActivatedMethodId, redirectUrl: 'https://pay.example', redirectTitle: 'Pay', customActive: true };
  await app.rest('POST', path, app.platform, { payload: first });
  const { body } = await app.rest('POST', `${path}?fieldsToOmit=redirectUrl`, app.platform, {
    payload: { paymentActivatedMethodId },
    fieldsToOmit: ['customActive'],
  });
  expect(body.result).toMatchObject({ redirectUrl: 'https://pay.example', redirectTitle: '', customActive: true });
});

test.each([
  ['pb_invoice_items', { unitPrice: 'much' }, 'payload.unitPrice: expected a number'],
  ['pb_invoice_items', { isServiceFee: 'yes' }, 'payload.isServiceFee: expected true or false'],
  [
    'pb_discount_codes',
    { dateActive: 'soon' },
    'payload.dateActive: expected an ISO 8601 timestamp such as 2026-03-01T09:30:00Z',
  ],
  [
    'pb_sanctions_and_ratings',
    { onlyAllowNonMemberAdditionalFeeLifeTime: {} },
    'payload.onlyAllowNonMemberAdditionalFeeLifeTime: expected a number',
  ],
  ['pb_discount_codes', { code: 'x'.repeat(256) }, 'payload.code: expected at most 255 characters'],
])('%s rejects %j', async (path, payload, message) => {
  const { status, body } = await app.rest('POST', `/v1/${path}/upsert`, app.platform, { payload });
  expect({ status, message: body.Message }).toEqual({ status: 400, message });
});
