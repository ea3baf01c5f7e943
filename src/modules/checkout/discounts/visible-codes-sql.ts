import { expression, parameter, tableNamed } from '../../../kernel/declare/expression.js';
import type { RecordOptions } from '../../../kernel/declare/fields/options.js';
import { isAdministrator } from '../../../kernel/declare/policy/caller.js';

/** Returns the SQL condition for visible codes. Users see the codes on their own invoices. Platforms and administrators see all codes. */
export const codesOnOwnInvoices: NonNullable<RecordOptions['visibleCondition']> = (caller, row) =>
  caller.platform || isAdministrator(caller)
    ? null
    : expression`exists (select from ${tableNamed('invoice_item')} i join ${tableNamed('invoice')} v on v.id = i.invoice_id
        where i.discount_code_id = ${row}.id and v.user_id = ${parameter(caller.user?.id ?? '')})`;
