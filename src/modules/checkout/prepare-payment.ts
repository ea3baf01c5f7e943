import { uuidv7 } from 'uuidv7';
import type { Context } from '../../kernel/declare/context.js';
import { normalizeDecimal } from '../../kernel/declare/scalars.js';
import { create } from '../../kernel/write/save.js';
import type { Registration } from '../tournaments/registration.js';
import type { Tournament } from '../tournaments/tournament.js';
import type { CheckedOut } from './checkout-values.js';
import { readAmounts } from './invoice-amounts-sql.js';
import { MerchantLink } from './merchant-link.js';
import type { PaymentOption } from './payment-option.js';
import { PaymentSetup } from './payment-setup.js';
import { ProviderRequest } from './provider-request.js';

interface Bill {
  invoiceId: string;
  currency: string | null;
  moduleType: string;
}

/** What was set up for a tournament itself counts, else what its club has. */
const ofTournament = <T extends { moduleId: string | null }>(found: readonly T[], { id }: Tournament): T | null =>
  found.find(({ moduleId }) => moduleId === id) ?? found[0] ?? null;

const newest = { orderBy: { updatedAt: 'desc', id: 'desc' } } as const;

/** The ways to pay for a tournament; through a provider only where the merchant has an account in use there. */
async function waysToPay({ sql }: Context, tournament: Tournament) {
  const clubId = tournament.clubId ?? tournament.id;
  const setups = await sql.em.find(
    PaymentSetup,
    { $or: [{ moduleId: tournament.id }, { clubId, moduleId: { $in: [null, ''] } }, { moduleId: clubId }] },
    newest,
  );
  const links = await sql.em.find(MerchantLink, { moduleId: { $in: [tournament.id, clubId] } }, newest);
  const setup = ofTournament(setups, tournament);
  const link = ofTournament(links, tournament);
  const open: Record<PaymentOption, boolean | undefined> = {
    PROVIDER_ONE: setup?.acceptsProviderOne && link?.providerOne.isEnabled,
    PROVIDER_TWO: setup?.acceptsProviderTwo && link?.providerTwo.isEnabled,
    ONSITE: setup?.acceptsOnsite,
    REDIRECT: setup?.redirect.isEnabled,
    CUSTOM: setup?.custom.isEnabled,
    PAY_LATER: setup?.payLater.isEnabled,
    CHECK: Boolean(setup?.check.payableTo),
  };
  return { open, account: link?.providerOne ?? null };
}

const methodsOf = (open: Record<PaymentOption, boolean | undefined>): PaymentOption[] => {
  const all: PaymentOption[] = ['PROVIDER_ONE', 'PROVIDER_TWO', 'ONSITE', 'REDIRECT', 'CUSTOM', 'PAY_LATER', 'CHECK'];
  return all.filter((method) => open[method]);
};

/** The request that was prepared for the same payment and got no answer yet. */
const prepared = async ({ sql }: Context, invoiceId: string, totalAmount: string, payeeAccount: string | null) =>
  sql.first(
    sql.db
      .selectFrom('provider_request as q')
      .select('q.id')
      .where('q.invoice_id', '=', invoiceId)
      .where('q.total_amount', '=', totalAmount)
      .where('q.payee_account', 'is not distinct from', payeeAccount)
      .where((q) => q.not(q.exists(q.selectFrom('provider_response as a').select('a.id').whereRef('a.request_id', '=', 'q.id'))))
      .orderBy('q.created_at', 'desc')
      .limit(1),
  );

/** The ways in which an invoice can be paid, and the request to the first payment provider where that is one of them. */
export async function preparePayment(
  context: Context,
  { invoiceId, currency, moduleType }: Bill,
  registration: Registration,
  tournament: Tournament,
): Promise<Pick<CheckedOut, 'requestId' | 'methods'>> {
  const [amounts] = await readAmounts(context.sql, [invoiceId]);
  const totalAmount = normalizeDecimal(amounts?.[0]?.total) ?? '0';
  if (totalAmount === '0' || totalAmount.startsWith('-')) return { requestId: null, methods: [] };
  const { open, account } = await waysToPay(context, tournament);
  const methods = methodsOf(open);
  if (!open.PROVIDER_ONE || !account) return { requestId: null, methods };
  const there = await prepared(context, invoiceId, totalAmount, account.account);
  if (there) return { requestId: there.id, methods };
  const request = {
    registrationId: registration.id,
    transactionId: uuidv7(),
    moduleType,
    moduleId: tournament.id,
    userId: registration.userId,
    totalAmount,
    payeeAccount: account.account,
    secondPayeeAccount: account.secondAccount,
    currency,
    isTest: tournament.isTest,
    invoiceId,
  };
  return { requestId: String((await create(context, ProviderRequest, request, ['id'])).id), methods };
}
