import { expression, parameter, tableNamed } from '../../../kernel/declare/expression.js';
import type { RecordOptions } from '../../../kernel/declare/fields/options.js';

/** Returns the SQL condition for visible codes. Users see the codes on their own invoices, and platforms see all codes. */
export const codesOnOwnInvoices: NonNullable<RecordOptions['visibleCondition']> = ({ platform, user }, row) =>
  platform
    ? null
    : expression`exists (select from ${tableNamed('invoice_item')} i join ${tableNamed('invoice')} v on v.id = i.invoice_id
        where i.discount_code_id = ${row}.id and v.user_id = ${parameter(user?.id ?? '')})`;
