import type { RecordOptions } from '../../../kernel/declare/fields/options.js';

/** Returns the SQL condition for visible codes. Users see the codes on their own invoices, and platforms see all codes. */
export const codesOnOwnInvoices: NonNullable<RecordOptions['visibleCondition']> = ({ platform, user }, param) =>
  platform
    ? null
    : `exists (select from ${param.table('invoice_item')} i join ${param.table('invoice')} v on v.id = i.invoice_id
        where i.discount_code_id = ${param.row}.id and v.user_id = ${param(user?.id ?? '')})`;
