import { type LegacyRecord, payload, platform, type Route, result, routes } from '../engine/index.js';
import * as records from '../records/checkout.js';

const upsert = (record: LegacyRecord, summary: string): Route => ({
  auth: platform,
  args: { input: payload(record) },
  operation: `mutation ($input: ${record.input}!) { upsert${record.type}(input: $input) { ...${record.name} } }`,
  reply: result(record),
  summary,
});

/** Checkout records (section 4.2). */
export const checkoutRoutes = routes({
  'POST /v1/pb_discount_codes/upsert': upsert(records.discountCode, 'Create or update a discount code.'),
  'POST /v1/pb_invoice_headers/upsert': upsert(records.invoiceHeader, 'Create or update an invoice.'),
  'POST /v1/pb_invoice_items/upsert': upsert(records.invoiceItem, 'Create or update an item of an invoice.'),
  'POST /v1/pb_invoice_payments/upsert': upsert(records.invoicePayment, 'Create or update a payment of an invoice.'),
  'POST /v1/pb_payment_activated_methods/upsert': upsert(
    records.paymentActivatedMethod,
    'Create or update the payment methods that attendees can use.',
  ),
  'POST /v1/pb_payment_merchant_api_links/upsert': upsert(
    records.paymentMerchantApiLink,
    "Create or update a merchant's accounts at payment providers.",
  ),
  'POST /v1/pb_providerone_requests/upsert': upsert(
    records.providerOneRequest,
    'Create or update a request to the first payment provider.',
  ),
  'POST /v1/pb_providerone_responses/upsert': upsert(
    records.providerOneResponse,
    'Create or update a response of the first payment provider.',
  ),
  'POST /v1/pb_sanctions_and_ratings/upsert': upsert(
    records.sanctionAndRatings,
    'Create or update the sanctioning bodies, memberships and ratings of a tournament or event.',
  ),
});
