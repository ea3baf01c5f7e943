import { type LegacyRecord, payload, platform, type Route, result, routes } from '../engine/index.js';
import * as records from '../records/checkout.js';

const upsert = (record: LegacyRecord, summary: string): Route => ({
  auth: platform,
  args: { input: payload(record) },
  run: `mutation ($input: ${record.input}!) { upsert${record.type}(input: $input) { ...${record.name} } }`,
  reply: result(record),
  summary,
});

/** Checkout records (section 4.2). */
export const checkoutRoutes = routes({
  'POST /v1/pb_discount_codes/upsert': upsert(records.discountCode, 'Creates or changes a discount code.'),
  'POST /v1/pb_invoice_headers/upsert': upsert(records.invoiceHeader, 'Creates or changes an invoice.'),
  'POST /v1/pb_invoice_items/upsert': upsert(records.invoiceItem, 'Creates or changes an item of an invoice.'),
  'POST /v1/pb_invoice_payments/upsert': upsert(records.invoicePayment, 'Creates or changes a payment of an invoice.'),
  'POST /v1/pb_payment_activated_methods/upsert': upsert(
    records.paymentActivatedMethod,
    'Creates or changes the ways to pay that are open to attendees.',
  ),
  'POST /v1/pb_payment_merchant_api_links/upsert': upsert(
    records.paymentMerchantApiLink,
    "Creates or changes a merchant's accounts at payment providers.",
  ),
  'POST /v1/pb_providerone_requests/upsert': upsert(
    records.providerOneRequest,
    'Creates or changes a request to the first payment provider.',
  ),
  'POST /v1/pb_providerone_responses/upsert': upsert(
    records.providerOneResponse,
    'Creates or changes an answer of the first payment provider.',
  ),
  'POST /v1/pb_sanctions_and_ratings/upsert': upsert(
    records.sanctionAndRatings,
    'Creates or changes who sanctions something, who may take part, and which ratings count.',
  ),
});
