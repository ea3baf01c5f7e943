import { en, Faker } from '@faker-js/faker';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entriesOf } from '../../support/fixtures/event-registrations.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const { register, enterPlayer, withdraw, withdrawRegistration, entry, checkout, save } = entriesOf(() => app);

/** Creates a player who registers, checks out and withdraws at random in a tournament with three events. Amounts are in cents. */
async function randomCheckout(seed: number) {
  const faker = new Faker({ locale: en, seed });
  const cents = (min: number, max: number) => faker.number.int({ min, max });
  const amount = (value: number) => (value / 100).toFixed(2);
  const { player, registrationId, tournamentId, eventId } = await enterPlayer(
    { fee: amount(cents(1, 9_000)) },
    { registrationFee: amount(cents(0, 2_000)) },
  );
  const eventIds = [eventId];
  for (const nth of [2, 3])
    eventIds.push(await save('TournamentEvent', { id: `${eventId}-${nth}`, tournamentId, fee: amount(cents(0, 9_000)) }));
  const code = `SEQUENCE-${seed}`;
  await save('DiscountCode', { id: code, code, discount: amount(cents(1, 5_000)), appliesToRegistration: true });

  /** Returns the invoices of the registration with their amounts and the sum of their service fees, in cents. */
  const invoices = async () => {
    const rows = await app.sql.rows<{ id: string; fees: number }>(
      `select v.id, coalesce((select sum(i.unit_price) * 100 from invoice_item i where i.invoice_id = v.id and i.is_service_fee), 0)::int as fees
        from invoice v where v.registration_id = $1 order by v.created_at, v.id`,
      [registrationId],
    );
    const inCents = (value: string) => Math.round(Number(value) * 100);
    return Promise.all(
      rows.map(async ({ id, fees }) => {
        const { invoice } = await app.graphql(`{ invoice(id: "${id}") { total paid balance refundRequested } }`);
        const { total, paid, balance, refundRequested } = invoice;
        return {
          id,
          fees,
          total: inCents(total),
          paid: inCents(paid),
          balance: inCents(balance),
          refundRequested: inCents(refundRequested),
        };
      }),
    );
  };
  let payments = 0;
  let feeCount = 0;
  const steps: Record<string, () => Promise<unknown>> = {
    register: () => register({ eventId: faker.helpers.arrayElement(eventIds) }, player),
    withdraw: async () => withdraw((await entry(faker.helpers.arrayElement(eventIds), player))?.id ?? 'none', player),
    checkout: () => checkout({ registrationId }, player),
    applyCode: () => checkout({ registrationId, discountCode: code }, player),
    removeCode: () => checkout({ registrationId, discountCode: faker.helpers.arrayElement([null, '']) }, player),
    async pay() {
      const [invoice] = (await invoices()).slice(-1);
      if (!invoice) return;
      const paid = cents(1, 6_000);
      payments += paid;
      await save('Payment', { invoiceId: invoice.id, amount: amount(paid) });
    },
    async addFee() {
      const [invoice] = await invoices();
      if (!invoice) return;
      feeCount += 1;
      const item = { invoiceId: invoice.id, unitPrice: amount(cents(1, 500)), units: 1, currency: 'USD', isServiceFee: true };
      await save('InvoiceItem', { id: `fee-${registrationId}-${feeCount}`, ...item });
    },
  };
  return {
    step: async () => {
      const name = faker.helpers.arrayElement(Object.keys(steps));
      await steps[name]?.();
      return name;
    },
    leave: () => withdrawRegistration(registrationId, player),
    invoices,
    payments: () => payments,
  };
}

describe('random steps of a player: enter, leave, apply and remove a code, pay', () => {
  test.each([1, 2, 3, 4, 5, 6, 36, 65, 97, 153])('keep amounts consistent (seed %i)', async (seed) => {
    const sequence = await randomCheckout(seed);
    const takenSteps: string[] = [];
    for (let count = 0; count < 12; count += 1) {
      takenSteps.push(await sequence.step());
      const invoices = await sequence.invoices();
      expect({
        taken: takenSteps.join(' '),
        paid: invoices.reduce((sum, { paid }) => sum + paid, 0),
        unbalanced: invoices.filter(({ total, paid, balance, refundRequested }) => balance - refundRequested !== total - paid),
        negative: invoices.filter(({ total, refundRequested }) => total < 0 || refundRequested < 0),
      }).toEqual({ taken: takenSteps.join(' '), paid: sequence.payments(), unbalanced: [], negative: [] });
    }
    await sequence.leave();
    const invoices = await sequence.invoices();
    expect({ taken: takenSteps.join(' '), invoices }).toEqual({
      taken: takenSteps.join(' '),
      invoices: invoices.map(({ id, fees, paid }) => {
        const total = Math.min(fees, paid);
        return { id, fees, total, paid, balance: 0, refundRequested: paid - total };
      }),
    });
  });
});
