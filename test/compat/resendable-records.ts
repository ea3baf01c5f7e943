import { expect } from 'vitest';
import { codecsOf, entriesOf, type LegacyRecord } from '../../compat/engine/index.js';
import { legacyRecords, legacyRoutes } from '../../compat/index.js';
import * as accounts from '../../compat/records/accounts.js';
import * as checkout from '../../compat/records/checkout.js';
import * as leagues from '../../compat/records/leagues.js';
import * as media from '../../compat/records/media.js';
import * as newsRecords from '../../compat/records/news.js';
import * as officiating from '../../compat/records/officiating.js';
import * as rankings from '../../compat/records/rankings.js';
import * as tournaments from '../../compat/records/tournaments.js';
import { recordIn } from '../../compat/reference/request-body.js';
import { graphOfModules } from '../../src/graphql/graph.js';
import { optionsOf } from '../../src/kernel/declare/record.js';
import { modules } from '../../src/modules/index.js';
import type { Person, TestApp, Tokens } from '../support/servers/app.js';

/** A record in the format of `/v1` requests or responses. */
export type LegacyData = Record<string, unknown>;

/** A record that can be created, read, and sent back. */
export interface Case {
  readonly record: LegacyRecord;
  readonly create: string;
  /** Fixed values of fields that do not accept generated values. `{n}` is replaced by a unique number. */
  readonly values?: LegacyData;
  /** Column that identifies the row. Default: `id`. */
  readonly key?: string;
  /**
   * Sources of the record: `created` is the response to its creation. All other values are paths with the placeholders `{id}` and `{slug}`.
   */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const upsert = (record: LegacyRecord, create: string, { key, ...values }: LegacyData & { key?: string } = {}): Case => ({
  record,
  create,
  values,
  key,
  reads: ['created'],
  writes: [create],
});

/** The records that /v1 can both return and store. */
export const cases: readonly Case[] = [
  {
    record: tournaments.tournamentRequest,
    create: 'POST /v1/tournaments/tourney_flat_data',
    values: {
      CountDeskMinutesToEstimatedTimeForNextUp: 5,
      RegistrationCount: 3,
      timezoneId: 4,
      Latitude: 30.25,
      Longitude: -97.75,
      PaymentCurrencyAbbreviation: 'EUR',
      ianaTzIdentifier: 'Europe/Vienna',
    },
    reads: ['created', '/v1/data/tourney_flat_data?tournament_uuid={id}', '/v1/data/tourney_flat_data?retrieve_all=true'],
    writes: ['POST /v1/tournaments/tourney_flat_data'],
  },
  {
    record: tournaments.team,
    create: 'POST /v1/teams',
    reads: ['created', '/v1/data/teams/{id}', '/v1/data/teams'],
    writes: ['PUT /v1/teams/{id}', 'POST /v1/teams/upsert'],
  },
  {
    record: tournaments.teamUpsert,
    create: 'POST /v1/teams/upsert',
    values: { ratingGamesPlayed: '12' },
    reads: ['created'],
    writes: ['PUT /v1/teams/{id}', 'POST /v1/teams/upsert'],
  },
  {
    record: tournaments.tournamentRefereeRequest,
    create: 'POST /v1/tournament_referee/upsert',
    reads: ['created', '/v1/data/tournament_referee/{id}', '/v1/data/tournament_referee'],
    writes: ['POST /v1/tournament_referee/upsert'],
  },
  upsert(tournaments.attendeeHeader, 'POST /v1/tournament_attendee_event_headers/upsert'),
  upsert(tournaments.attendeeEvent, 'POST /v1/tournament_attendee_event_records/upsert'),
  upsert(tournaments.eventFinalStanding, 'POST /v1/tournament_event_final_standings/upsert', { key: 'event_id' }),
  upsert(rankings.rankingPoints, 'POST /v1/admin/rankings/upsert', { isLocked: false, key: 'player_id' }),
  upsert(checkout.discountCode, 'POST /v1/pb_discount_codes/upsert'),
  upsert(checkout.invoiceHeader, 'POST /v1/pb_invoice_headers/upsert'),
  upsert(checkout.invoiceItem, 'POST /v1/pb_invoice_items/upsert'),
  upsert(checkout.invoicePayment, 'POST /v1/pb_invoice_payments/upsert'),
  upsert(checkout.paymentActivatedMethod, 'POST /v1/pb_payment_activated_methods/upsert'),
  upsert(checkout.paymentMerchantApiLink, 'POST /v1/pb_payment_merchant_api_links/upsert'),
  upsert(checkout.providerOneRequest, 'POST /v1/pb_providerone_requests/upsert'),
  upsert(checkout.providerOneResponse, 'POST /v1/pb_providerone_responses/upsert'),
  upsert(checkout.sanctionAndRatings, 'POST /v1/pb_sanctions_and_ratings/upsert'),
  {
    record: media.sponsor,
    create: 'POST /v1/admin/sponsors',
    reads: ['created', '/v1/data/sponsors/{id}', '/v1/data/sponsors'],
    writes: ['PUT /v1/admin/sponsors/{id}'],
  },
  {
    record: newsRecords.category,
    create: 'POST /v1/categories',
    reads: ['created', '/v1/data/categories/{id}', '/v1/data/lookup_categories'],
    writes: ['PUT /v1/categories/{id}'],
  },
  {
    record: newsRecords.newsOutlet,
    create: 'POST /v1/admin/news_outlet',
    reads: ['created', '/v1/data/news_outlet/{id}', '/v1/data/news_outlet'],
    writes: ['PUT /v1/admin/news_outlet/{id}'],
  },
  {
    record: newsRecords.news,
    create: 'POST /v1/admin/news',
    reads: ['created', '/v1/data/news/{slug}', '/v1/data/news'],
    writes: ['PUT /v1/admin/news/{id}'],
  },
  {
    record: leagues.clubRequest,
    create: 'POST /v1/clubs_flat_data_search/upsert',
    reads: ['created', '/v1/clubs_flat_data_search'],
    writes: ['POST /v1/clubs_flat_data_search/upsert'],
  },
  {
    record: leagues.leagueListing,
    create: 'POST /v1/leagues_flat_data_search/upsert',
    reads: ['created', '/v1/data/leagues_flat_data_search'],
    writes: ['POST /v1/leagues_flat_data_search/upsert'],
  },
  {
    record: leagues.league,
    create: 'POST /v1/leagues',
    reads: ['created', '/v1/data/leagues/{id}', '/v1/data/leagues/{slug}', '/v1/data/leagues'],
    writes: ['PUT /v1/leagues/{id}', 'POST /v1/leagues/upsert'],
  },
  {
    record: officiating.prematch,
    create: 'POST /v1/referee/prematches',
    reads: ['created', '/v1/referee/prematches/{id}', '/v1/referee/prematches'],
    writes: ['PUT /v1/referee/prematches/{id}'],
  },
  {
    record: officiating.pregame,
    create: 'POST /v1/referee/pregames',
    reads: ['created', '/v1/referee/pregames/{id}', '/v1/referee/pregames'],
    writes: ['PUT /v1/referee/pregames/{id}'],
  },
  {
    record: accounts.user,
    create: 'POST /v1/users/upsert',
    values: { email: 'filled-{n}@example.com', gender: 'F', dob: '1990-05-06T00:00:00Z' },
    reads: ['created', '/v1/users/{id}'],
    writes: ['POST /v1/users/upsert'],
  },
];

const classes = new Map(modules.flatMap(({ records }) => records).map((cls) => [cls.name, cls]));
export const codecs = codecsOf(graphOfModules(), legacyRecords, (problem) => expect.fail(problem));
export const entries = entriesOf(legacyRoutes);
const entryOf = (operation: string) => {
  const path = operation.replaceAll(/\{\w+\}/g, '{}').replace(/\?.*/, '');
  return entries.find((entry) => `${entry.method} ${entry.path}`.replaceAll(/\{\w+\}/g, '{}') === path) ?? expect.fail(operation);
};

/** Returns functions for a test that send requests and read stored rows. */
export function sender(app: TestApp, editor: Person) {
  /** Returns the token that an operation accepts. */
  const tokensFor = (operation: string): Tokens =>
    entryOf(operation).alternatives.every(({ auth }) => auth === 'user') ? { user: editor.user } : app.platform;

  async function send(operation: string, names: LegacyData, body?: LegacyData) {
    const filled = operation.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
    const [method = '', path = ''] = filled.split(' ');
    const [route] = entryOf(operation).alternatives;
    const isWrapped = recordIn(route?.args ?? {})?.isWrapped !== false;
    return app.rest(method, path, tokensFor(operation), body && (isWrapped ? { payload: body } : body));
  }

  /** Returns the rows of a record, keyed by ID, without the columns that every write changes. */
  async function storedRows({ record, key = 'id' }: Case): Promise<Map<unknown, LegacyData>> {
    const type = record.type ?? record.input?.replace(/Input$/, '') ?? '';
    const cls = classes.get(type) ?? expect.fail(type);
    const rows = await app.sql.rows<{ id: unknown; json: LegacyData }>(
      `select ${key} as id, to_jsonb(r) - '{updated_at,updated_by,version}'::text[] as json from ${optionsOf(cls).table} r`,
    );
    return new Map(rows.map(({ id, json }) => [id, json]));
  }

  return { send, storedRows };
}

export const idIn = (record: LegacyData): unknown => Object.values(record)[0];

/** Returns the records in a response: the items of a list, or a single record. */
export function recordsIn(body: LegacyData): LegacyData[] {
  const records = body.results ?? body.result ?? body.payload ?? body;
  return [records].flat() as LegacyData[];
}
