import { buildSchema, getNamedType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emitSchemas } from '../../src/commands/emit.js';
import { type Person, startApp, type TestApp } from '../support/servers/app.js';

const schema = buildSchema(emitSchemas().get('schema.graphql') ?? '');
const objects = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));

/** Names of the types of change events. The ID of an event is null if clients must read everything again. */
const changeEvents = new Set(
  Object.values(schema.getSubscriptionType()?.getFields() ?? {}).map(({ type }) => getNamedType(type).name),
);

let app: TestApp;
let player: Person;
beforeAll(async () => {
  app = await startApp();
  player = await app.person();
  const point = "($1, $2, now() - interval '1 day', 'WOMENS_SINGLES', 10)";
  await app.sql.rows(`insert into ranking_points (id, player_id, played_at, division, points) values ${point}`, [
    'p1',
    player.id,
  ]);
});
afterAll(() => app.close());

test('every `id` and `slug` of a record is non-null', () => {
  const nullable = objects
    .filter(({ name }) => !changeEvents.has(name))
    .flatMap((type) =>
      ['id', 'slug'].flatMap((name) => type.getFields()[name] ?? []).map(({ name, type: of }) => `${type.name}.${name}: ${of}`),
    )
    .filter((field) => !/: (ID|String)!$/.test(field));
  expect(nullable).toEqual([]);
});

const deletes = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) =>
  /^(delete|remove|undo|unreact|optOut|withdraw|cancel|declineTeam)/.test(name),
);

test('every mutation that deletes records returns records with an `id`', () => {
  const silent = deletes.filter(({ type }) => {
    const payload = getNamedType(type);
    return !isObjectType(payload) || String(payload.getFields().id?.type) !== 'ID!';
  });
  expect({ count: deletes.length > 30, silent: silent.map(({ name }) => name) }).toEqual({ count: true, silent: [] });
});

test('every mutation that deletes further records returns their IDs', () => {
  const deletedIds = Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap(({ name, type }) => {
    const payload = getNamedType(type);
    const fields = isObjectType(payload) ? Object.values(payload.getFields()) : [];
    const idFields = fields.filter(
      (field) =>
        field.name.startsWith('deleted') && (payload.name.endsWith('Payload') || field.description?.includes(`\`${name}\``)),
    );
    return idFields.length > 0 ? [[name, idFields.map((field) => `${field.name}: ${field.type}`)] as const] : [];
  });
  const invoiceItems = 'deletedInvoiceItemIds: [ID!]!';
  const ofWithdrawal = [
    'deletedTeamIds: [ID!]!',
    'deletedEventRegistrationIds: [ID!]!',
    'deletedRegistrationIds: [ID!]!',
    invoiceItems,
  ];
  const ofItem = ['deletedApprovalIds: [ID!]!', 'deletedApprovalCommentIds: [ID!]!'];
  expect(Object.fromEntries(deletedIds)).toEqual({
    cancelGame: ['deletedGameIds: [ID!]!'],
    checkout: [invoiceItems],
    declineTeamInvitation: ofWithdrawal,
    deleteBiography: ofItem,
    deleteEventRegistration: ofWithdrawal,
    deleteRegistration: ofWithdrawal,
    deleteSponsor: ['deletedSponsorImageIds: [ID!]!', 'deletedSponsorshipIds: [ID!]!', ...ofItem],
    deleteSponsorImage: ofItem,
    deleteUserImage: ofItem,
    eraseUser: [
      'deletedApprovalCommentIds: [ID!]!',
      'deletedBiographyIds: [ID!]!',
      'deletedCalendarLinkIds: [ID!]!',
      'deletedFavoriteIds: [ID!]!',
      'deletedNotificationIds: [ID!]!',
      'deletedReactionIds: [ID!]!',
      'deletedUserImageIds: [ID!]!',
      'deletedUserTokenIds: [ID!]!',
      'deletedApprovalIds: [ID!]!',
    ],
    withdraw: ofWithdrawal,
    withdrawRegistration: ofWithdrawal,
  });
});

test('a ranked player has one ID in each ranking', async () => {
  const { latest, one, race, division, person } = await app.graphql(
    `query ($id: ID!) {
      latest: rankings { nodes { id } }
      one: rankings(playerId: $id) { nodes { id } }
      race: rankings(year: ${new Date(Date.now() - 86_400_000).getUTCFullYear()}) { nodes { id } }
      division: rankings(division: WOMENS_SINGLES) { nodes { id } }
      person: user(id: $id) { rankings { id division } }
    }`,
    { id: player.id },
  );
  const idOf = ({ nodes }: { nodes: { id: string }[] }) => nodes[0]?.id;
  expect({
    same: idOf(latest) === idOf(one),
    ofPerson: person.rankings.map(({ id }: { id: string }) => id),
    distinct: new Set([latest, race, division].map(idOf)).size,
  }).toEqual({ same: true, ofPerson: [idOf(latest), idOf(division)], distinct: 3 });
});

test('a notification setting has one ID for each type and user', async () => {
  const other = await app.person();
  const settingsOf = async (user: string) =>
    (await app.graphql('{ notificationSettings { id typeId } }', {}, { user })).notificationSettings;
  const [own, others] = await Promise.all([settingsOf(player.user), settingsOf(other.user)]);
  const [{ id, typeId }] = own;
  const saved = await app.graphql(
    'mutation ($typeId: ID!) { setNotificationEnabled(typeId: $typeId, isEnabled: false) { id } }',
    { typeId },
    { user: player.user },
  );
  const ids = [...own, ...others].map((setting) => setting.id);
  expect({ distinct: new Set(ids).size, saved: saved.setNotificationEnabled.id }).toEqual({ distinct: ids.length, saved: id });
});

test('a user always has a slug, even one who was inserted without a slug', async () => {
  await app.sql.rows("insert into app_user (id) values ('no-slug')");
  expect(await app.graphql('{ user(id: "no-slug") { slug } }')).toEqual({ user: { slug: expect.stringMatching(/./) } });
});

test('/v1 shows a generated slug as unset', async () => {
  await app.sql.rows("insert into app_user (id) values ('legacy')");
  const { body } = await app.rest('GET', '/v1/users/legacy', app.platform);
  expect((body.result ?? body).slug).toBe('');
});
