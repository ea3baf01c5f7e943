import { declareRoutes } from '../engine/index.js';
import * as records from '../records/checkout.js';
import { upsertRoute } from './record-routes.js';

/** Routes for checkout records (section 4.2). */
export const checkoutRoutes = declareRoutes({
  'POST /v1/pb_discount_codes/upsert': upsertRoute(records.discountCode, 'Create or update a discount code.'),
  'POST /v1/pb_invoice_headers/upsert': upsertRoute(records.invoiceHeader, 'Create or update an invoice.'),
  'POST /v1/pb_invoice_items/upsert': upsertRoute(records.invoiceItem, 'Create or update an invoice item.'),
  'POST /v1/pb_invoice_payments/upsert': upsertRoute(records.invoicePayment, 'Create or update an invoice payment.'),
  'POST /v1/pb_payment_activated_methods/upsert': upsertRoute(
    records.paymentActivatedMethod,
    'Create or update the payment methods that attendees can use.',
  ),
  'POST /v1/pb_payment_merchant_api_links/upsert': upsertRoute(
    records.paymentMerchantApiLink,
    "Create or update a merchant's accounts at payment providers.",
  ),
  'POST /v1/pb_providerone_requests/upsert': upsertRoute(
    records.providerOneRequest,
    'Create or update a request to the first payment provider.',
  ),
  'POST /v1/pb_providerone_responses/upsert': upsertRoute(
    records.providerOneResponse,
    'Create or update a response from the first payment provider.',
  ),
  'POST /v1/pb_sanctions_and_ratings/upsert': upsertRoute(
    records.sanctionAndRatings,
    'Create or update the sanctioning bodies, memberships and ratings of a tournament or event.',
  ),
});
