import { DiscountCode } from '../modules/checkout/discounts/discount-code.js';
import { Invoice } from '../modules/checkout/invoices/invoice.js';
import { InvoiceItem } from '../modules/checkout/invoices/invoice-item.js';
import { MerchantLink } from '../modules/checkout/payments/merchant-link.js';
import { Payment } from '../modules/checkout/payments/payment.js';
import { ProviderRequest } from '../modules/checkout/payments/provider-request.js';
import { ProviderResponse } from '../modules/checkout/payments/provider-response.js';
import { PaymentSetup } from '../modules/checkout/setup/payment-setup.js';
import { SanctionSetup } from '../modules/checkout/setup/sanction-setup.js';
import type { DemoContext, DemoTournament } from './context.js';
import { unpaidRegistrationId } from './tournaments/registrations.js';

const moduleType = 'Tournaments';

/** Inserts payment settings and discounts for tournaments, and invoices and payments for players. */
export async function insertCheckout(context: DemoContext): Promise<void> {
  const unpaid = context.registrations.find(({ id }) => id === unpaidRegistrationId);
  await insertPaymentSettings(
    context,
    context.tournaments.filter(({ id }, index) => index < 120 || id === unpaid?.tournamentId),
  );
  await insertPayments(context);
}

async function insertPaymentSettings({ faker, insert }: DemoContext, tournaments: readonly DemoTournament[]): Promise<void> {
  const fieldsOfTournament = ({ id: moduleId, clubId, createdAt }: DemoTournament) => ({
    id: faker.string.uuid(),
    moduleType,
    moduleId,
    clubId,
    createdAt,
    createdBy: faker.person.fullName(),
  });
  await insert(
    DiscountCode,
    tournaments.map((tournament) => {
      const percent = faker.helpers.arrayElement([5, 10, 15]);
      const title = faker.helpers.arrayElement(['Early bird', 'Club members', 'Volunteers']);
      return {
        ...fieldsOfTournament(tournament),
        type: 1,
        title,
        code: `${title.split(' ')[0]?.toUpperCase()}${percent}`,
        discount: String(percent),
        issued: '200',
        startsAt: tournament.createdAt,
        expiresAt: tournament.startsAt,
        appliesToRegistration: true,
      };
    }),
  );
  await insert(
    PaymentSetup,
    tournaments.map((tournament) => ({
      ...fieldsOfTournament(tournament),
      acceptsProviderOne: true,
      acceptsOnsite: faker.datatype.boolean(),
      payLater: { isEnabled: true, deadline: tournament.startsAt },
      check: { payableTo: tournament.title, city: tournament.homeCity.city },
    })),
  );
  await insert(
    MerchantLink,
    tournaments.map((tournament) => ({
      ...fieldsOfTournament(tournament),
      providerOne: { isEnabled: true, account: `payments-${tournament.id}@example.com` },
    })),
  );
  await insert(
    SanctionSetup,
    tournaments.map((tournament) => ({
      ...fieldsOfTournament(tournament),
      firstRating: 'DUPR',
      secondRating: 'Self rating',
      usap: { status: 'Approved', approvedBy: faker.person.fullName(), approvedAt: tournament.createdAt, levelId: '2' },
    })),
  );
}

async function insertPayments({
  faker,
  insert,
  registrations,
  eventRegistrations,
  tournaments,
  users,
}: DemoContext): Promise<void> {
  const tournamentsById = new Map(tournaments.map((tournament) => [tournament.id, tournament]));
  const namesById = new Map(users.map(({ id, firstName, lastName }) => [id, `${firstName} ${lastName}`]));
  const entriesByRegistration = new Map(eventRegistrations.map((entry) => [entry.registrationId, entry]));
  const paidRegistrations = registrations
    .slice(0, 600)
    .filter(({ id }) => id !== unpaidRegistrationId)
    .flatMap((registration, index) => {
      const tournament = tournamentsById.get(registration.tournamentId);
      const entry = entriesByRegistration.get(registration.id);
      const fee = String(40 + (index % 8) * 5);
      return tournament && entry
        ? [{ registration, tournament, entry, fee, payerName: namesById.get(registration.userId) ?? '', number: 1000 + index }]
        : [];
    });
  const sales = paidRegistrations.map((sale) => ({
    ...sale,
    invoice: faker.string.uuid(),
    request: faker.string.uuid(),
    response: faker.string.uuid(),
    transactionId: faker.string.alphanumeric({ length: 17, casing: 'upper' }),
    creation: { createdAt: sale.tournament.createdAt, createdBy: sale.payerName },
  }));
  await insert(
    Invoice,
    sales.map(({ invoice, number, registration, tournament, creation }) => ({
      id: invoice,
      number: String(number),
      moduleType,
      moduleId: tournament.id,
      clubId: tournament.clubId,
      userId: registration.userId,
      registrationId: registration.id,
      ...creation,
    })),
  );
  await insert(
    InvoiceItem,
    sales.flatMap(({ invoice, transactionId, entry, fee, tournament, creation }) => {
      const item = { invoiceId: invoice, transactionId, units: 1, currency: tournament.currency, exchangeRate: '1', ...creation };
      return [
        {
          ...item,
          id: faker.string.uuid(),
          type: 'Event',
          eventRegistrationId: entry.id,
          eventId: entry.eventId,
          title: 'Event fee',
          unitPrice: fee,
          unitPriceInUsd: fee,
        },
        {
          ...item,
          id: faker.string.uuid(),
          type: 'Fee',
          isServiceFee: true,
          title: 'Service fee',
          unitPrice: '2.5',
          unitPriceInUsd: '2.5',
        },
      ];
    }),
  );
  await insert(
    ProviderRequest,
    sales.map(({ request, invoice, transactionId, fee, registration, tournament, creation }) => ({
      id: request,
      invoiceId: invoice,
      transactionId,
      registrationId: registration.id,
      userId: registration.userId,
      moduleType,
      moduleId: tournament.id,
      totalAmount: String(Number(fee) + 2.5),
      currency: tournament.currency,
      checkoutVersion: 2,
      ...creation,
    })),
  );
  await insert(
    ProviderResponse,
    sales.map(({ request, response, transactionId, fee, payerName, creation }) => ({
      id: response,
      requestId: request,
      transactionId,
      receivedAt: creation.createdAt,
      validationStatus: 'VERIFIED',
      paymentStatus: 'Completed',
      paymentType: 'instant',
      gross: String(Number(fee) + 2.5),
      payer: { firstName: payerName.split(' ')[0] ?? null, lastName: payerName.split(' ').at(-1) ?? null },
      ...creation,
    })),
  );
  await insert(
    Payment,
    sales.map(({ request, response, invoice, transactionId, fee, registration, creation }) => ({
      id: faker.string.uuid(),
      requestId: request,
      responseId: response,
      invoiceId: invoice,
      registrationId: registration.id,
      transactionId,
      method: 1,
      amount: String(Number(fee) + 2.5),
      paidAt: creation.createdAt,
      ...creation,
    })),
  );
}
