import { sql as raw, type SqlBool } from 'kysely';
import { uuidv7 } from 'uuidv7';
import type { Context } from '../../../kernel/declare/context.js';
import { reject } from '../../../kernel/declare/errors.js';
import { normalizeDecimal } from '../../../kernel/declare/scalars/scalars.js';
import type { Session } from '../../../kernel/session.js';
import { create } from '../../../kernel/write/save.js';
import type { Registration } from '../../tournaments/entries/registration.js';
import type { Tournament } from '../../tournaments/tournament.js';
import type { CheckoutResult } from '../invoices/checkout-values.js';
import { readAmounts } from '../invoices/invoice-amounts-sql.js';
import type { PaymentProvider } from './payment-choices.js';
import { type Payee, paymentMethodsOf } from './payment-methods.js';
import { ProviderRequest } from './provider-request.js';

interface PaymentRequest {
  invoiceId: string;
  currency: string | null;
  moduleType: string;
  /** Provider that the player selected. Null if the player selected none. */
  requestedProvider: PaymentProvider | null;
}

/** Finds a current, unanswered request for the same payment. */
const findCurrentRequest = async ({ sql }: Context, invoiceId: string, totalAmount: string, { provider, account }: Payee) =>
  sql.first(
    sql.db
      .selectFrom('provider_request as q')
      .select('q.id')
      .where('q.invoice_id', '=', invoiceId)
      .where('q.provider', '=', provider)
      .where('q.total_amount', '=', totalAmount)
      .where('q.payee_account', 'is not distinct from', account)
      .where('q.superseded_at', 'is', null)
      .where((q) => q.not(q.exists(q.selectFrom('provider_response as a').select('a.id').whereRef('a.request_id', '=', 'q.id'))))
      .orderBy('q.created_at', 'desc')
      .limit(1),
  );

/**
 * Returns the recipient of the payment at the requested provider or, by default, at the first available provider. Null if no provider is
 * available.
 */
function payeeOf(payees: readonly Payee[], requestedProvider: PaymentProvider | null): Payee | null {
  const payee = requestedProvider ? payees.find(({ provider }) => provider === requestedProvider) : payees[0];
  if (!payee && requestedProvider) reject('input.provider', 'a payment provider that the tournament accepts');
  return payee ?? null;
}

/**
 * Returns the payment methods of an invoice. If a payment provider is available, creates a payment request or reuses an existing one.
 * Supersedes all other unanswered requests for the invoice. The invoice must be locked.
 */
export async function preparePayment(
  context: Context,
  { invoiceId, currency, moduleType, requestedProvider }: PaymentRequest,
  registration: Registration,
  tournament: Tournament,
): Promise<Pick<CheckoutResult, 'requestId' | 'methods'>> {
  const { sql } = context;
  const [amounts] = await readAmounts(sql, [invoiceId]);
  const totalAmount = normalizeDecimal(amounts?.[0]?.total) ?? '0';
  const isOwed = totalAmount !== '0' && !totalAmount.startsWith('-');
  const { methods, payees } = isOwed ? await paymentMethodsOf(context, tournament) : { methods: [], payees: [] };
  const payee = isOwed ? payeeOf(payees, requestedProvider) : null;
  const requestId = payee && (await requestFor(payee));
  await supersedeRequests(sql, [invoiceId], requestId);
  return { requestId, methods };

  async function requestFor(payee: Payee): Promise<string> {
    const existingRequest = await findCurrentRequest(context, invoiceId, totalAmount, payee);
    if (existingRequest) return existingRequest.id;
    const request = {
      provider: payee.provider,
      registrationId: registration.id,
      transactionId: uuidv7(),
      moduleType,
      moduleId: tournament.id,
      userId: registration.userId,
      totalAmount,
      payeeAccount: payee.account,
      secondPayeeAccount: payee.secondAccount,
      legacy: { currency },
      isTest: tournament.isTest,
      invoiceId,
    };
    return String((await create(context, ProviderRequest, request, ['id'])).id);
  }
}

/**
 * Marks unanswered payment requests of invoices as superseded, except the current one. Payments for superseded requests must not be
 * collected.
 */
export async function supersedeRequests(sql: Session, invoiceIds: readonly string[], currentId: string | null): Promise<void> {
  await sql.run(
    sql.db
      .updateTable('provider_request as q')
      .set({ superseded_at: raw`clock_timestamp()`, updated_at: raw`clock_timestamp()` })
      .where(raw<SqlBool>`q.invoice_id = any(${invoiceIds})`)
      .where('q.id', 'is distinct from', currentId)
      .where('q.superseded_at', 'is', null)
      .where((q) => q.not(q.exists(q.selectFrom('provider_response as a').select('a.id').whereRef('a.request_id', '=', 'q.id')))),
  );
}
