import type { Context } from '../../../kernel/declare/context.js';
import type { Tournament } from '../../tournaments/tournament.js';
import { PaymentSetup } from '../setup/payment-setup.js';
import { MerchantLink } from './merchant-link.js';
import type { PaymentOption, PaymentProvider } from './payment-choices.js';

/** Recipient of payments at a payment provider. */
export interface Payee {
  provider: PaymentProvider;
  account: string | null;
  secondAccount: string | null;
}

/** Returns the candidate that belongs to the tournament. If none does, returns the first candidate, which belongs to the club. */
const preferTournament = <T extends { moduleId: string | null }>(candidates: readonly T[], { id }: Tournament): T | null =>
  candidates.find(({ moduleId }) => moduleId === id) ?? candidates[0] ?? null;

const newestFirst = { orderBy: { updatedAt: 'desc', id: 'desc' } } as const;

/** Returns the active accounts of a merchant. */
function accountsOf(link: MerchantLink | null): Payee[] {
  if (!link) return [];
  const { providerOne, providerTwo } = link;
  const { merchantId, email } = providerTwo;
  const accountOne: Payee = { provider: 'PROVIDER_ONE', account: providerOne.account, secondAccount: providerOne.secondAccount };
  const accountTwo: Payee = { provider: 'PROVIDER_TWO', account: merchantId || email, secondAccount: merchantId ? email : null };
  return [...(providerOne.isEnabled ? [accountOne] : []), ...(providerTwo.isEnabled ? [accountTwo] : [])];
}

/**
 * Returns the payment methods of a tournament. A provider is included only if the tournament accepts it and the merchant has an active
 * account with it.
 */
export async function paymentMethodsOf(
  { sql }: Context,
  tournament: Tournament,
): Promise<{ methods: PaymentOption[]; payees: Payee[] }> {
  const clubId = tournament.clubId ?? tournament.id;
  const setups = await sql.em.find(
    PaymentSetup,
    { $or: [{ moduleId: tournament.id }, { clubId, moduleId: { $in: [null, ''] } }, { moduleId: clubId }] },
    newestFirst,
  );
  const links = await sql.em.find(MerchantLink, { moduleId: { $in: [tournament.id, clubId] } }, newestFirst);
  const setup = preferTournament(setups, tournament);
  const acceptedProviders = { PROVIDER_ONE: setup?.acceptsProviderOne, PROVIDER_TWO: setup?.acceptsProviderTwo };
  const payees = accountsOf(preferTournament(links, tournament)).filter(({ provider }) => acceptedProviders[provider]);
  const otherMethods: [PaymentOption, boolean | undefined][] = [
    ['ONSITE', setup?.acceptsOnsite],
    ['REDIRECT', setup?.redirect.isEnabled],
    ['CUSTOM', setup?.custom.isEnabled],
    ['PAY_LATER', setup?.payLater.isEnabled],
    ['CHECK', Boolean(setup?.check.payableTo)],
  ];
  const acceptedMethods = otherMethods.flatMap(([method, isAccepted]) => (isAccepted ? [method] : []));
  return { methods: [...payees.map(({ provider }) => provider), ...acceptedMethods], payees };
}
