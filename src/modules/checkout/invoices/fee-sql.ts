import { invoiceItemKinds } from '../choices.js';

const feeType = String(invoiceItemKinds.conversion.toStored('FEE')).toLowerCase();

/** SQL condition: the invoice item with this alias is a fee. Fees are not refunded after a withdrawal. */
export const isFee = (alias: string): string =>
  `(coalesce(${alias}.is_service_fee, false) or coalesce(lower(${alias}.type) = '${feeType}', false))`;
