import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statementsOf } from '../../support/checks/statement-counter.js';
import type { Person } from '../../support/servers/app.js';
import { type MediaApp, newId, startMediaApp } from './seeds.js';

let app: MediaApp;
let ana: Person;
let ben: Person;
let cleo: Person;
beforeAll(async () => {
  app = await startMediaApp();
  ana = await app.person({ firstName: 'Ana' });
  ben = await app.person({ firstName: 'Ben' });
  cleo = await app.person({ firstName: 'Cleo' });
});
afterAll(() => app.close());

const addSponsor = (sponsorId: string, userId: string, body: object = {}) =>
  app.rest('POST', `/v1/users/${userId}/add_sponsor/${sponsorId}`, app.platform, body);

/** Reads a sponsor through GraphQL and through `/v1`. */
async function readSponsor(id: string) {
  const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { userId startedAt isPrimary
    users(orderBy: [{ field: FIRST_NAME }]) { totalCount nodes { firstName } } sponsorships(orderBy: [{ field: STARTED_AT }]) { nodes { user { firstName } startedAt isPrimary } } } }`);
  const { body } = await app.rest('GET', `/v1/data/sponsors/${id}`, app.platform);
  const { userUuid, dateStartedSponsorship, isPrimary } = body;
  return { sponsor, legacy: { userUuid, dateStartedSponsorship, isPrimary } };
}
const connectionOf = (...users: string[]) => ({ totalCount: users.length, nodes: users.map((firstName) => ({ firstName })) });

describe('add_sponsor', () => {
  const january = '2026-01-01T00:00:00Z';
  const february = '2026-02-02T00:00:00Z';
  const march = '2026-03-03T00:00:00Z';

  test('adds users with their own startedAt and isPrimary, and keeps the owner', async () => {
    const { id } = await app.sponsor(ana.id);
    await addSponsor(id, ana.id, { dateStartedSponsorship: january, isPrimary: true });
    await addSponsor(id, ben.id, { dateStartedSponsorship: february });
    await addSponsor(id, cleo.id, { dateStartedSponsorship: march, isPrimary: true });
    expect(await readSponsor(id)).toEqual({
      sponsor: {
        userId: ana.id,
        startedAt: january,
        isPrimary: true,
        users: connectionOf('Ana', 'Ben', 'Cleo'),
        sponsorships: {
          nodes: [
            { user: { firstName: 'Ben' }, startedAt: february, isPrimary: false },
            { user: { firstName: 'Cleo' }, startedAt: march, isPrimary: true },
          ],
        },
      },
      legacy: { userUuid: ana.id, dateStartedSponsorship: january, isPrimary: true },
    });
  });

  test('changes only the named values of an existing sponsorship', async () => {
    const { id } = await app.sponsor(ana.id);
    await addSponsor(id, ben.id, { dateStartedSponsorship: january, isPrimary: true });
    await addSponsor(id, ben.id, { dateStartedSponsorship: february });
    expect((await readSponsor(id)).sponsor.sponsorships.nodes).toEqual([
      { user: { firstName: 'Ben' }, startedAt: february, isPrimary: true },
    ]);
  });

  test('makes the first user the owner of a sponsor without an owner', async () => {
    const { id } = await app.sponsor('');
    await addSponsor(id, ben.id, { dateStartedSponsorship: january, isPrimary: true });
    await addSponsor(id, ana.id);
    expect(await readSponsor(id)).toMatchObject({
      sponsor: { userId: ben.id, users: connectionOf('Ana', 'Ben'), sponsorships: { nodes: [{ user: { firstName: 'Ana' } }] } },
      legacy: { userUuid: ben.id, dateStartedSponsorship: january, isPrimary: true },
    });
  });

  test('keeps all users of concurrent requests', async () => {
    const { id } = await app.sponsor('');
    const userIds = [ana.id, ben.id, cleo.id, ana.id, ben.id, cleo.id];
    const answers = await Promise.all(userIds.map((userId) => addSponsor(id, userId)));
    const { sponsor } = await readSponsor(id);
    expect({ statuses: answers.map(({ status }) => status), users: sponsor.users }).toEqual({
      statuses: Array(6).fill(200),
      users: connectionOf('Ana', 'Ben', 'Cleo'),
    });
  });

  test('changes no approval', async () => {
    const { id } = await app.sponsor(ana.id);
    await addSponsor(id, ben.id);
    const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { approval { state given } } }`);
    expect(sponsor.approval).toEqual({ state: 'APPROVED', given: 2 });
  });

  test('rejects an unknown sponsor, a user id that is too long, and an isPrimary that is not a boolean', async () => {
    const { id } = await app.sponsor(ana.id);
    const message = async (...request: Parameters<typeof addSponsor>) => (await addSponsor(...request)).body.Message;
    expect({
      unknownSponsor: await message('none', ana.id),
      longUserId: await message(id, 'u'.repeat(256)),
      isPrimary: await message(id, ben.id, { isPrimary: 'yes' }),
    }).toEqual({
      unknownSponsor: 'no sponsor with the id none',
      longUserId: 'uuid: expected at most 255 characters',
      isPrimary: 'isPrimary: expected true or false',
    });
  });
});

test('a user lists all their sponsors by display order', async () => {
  const user = await app.person();
  const owned = await app.sponsor(user.id);
  const shared = await app.sponsor(ana.id);
  const ownerless = await app.sponsor('');
  await app.sponsor(ben.id);
  for (const [displayOrder, { id }] of [shared, owned, ownerless].entries()) {
    await addSponsor(id, user.id);
    await app.graphql(`mutation { updateSponsor(id: "${id}", input: { displayOrder: ${displayOrder} }) { id } }`);
  }
  const answer = await app.graphql(
    `{ user(id: "${user.id}") { sponsors { totalCount nodes { id } } sponsorships { nodes { sponsorId } } } }`,
  );
  expect(answer.user).toEqual({
    sponsors: { totalCount: 3, nodes: [{ id: shared.id }, { id: owned.id }, { id: ownerless.id }] },
    sponsorships: { nodes: [{ sponsorId: shared.id }] },
  });
});

test('a pending sponsor is visible to its owner and to the users it is shared with', async () => {
  const { id, image } = await app.sponsor(ana.id);
  await addSponsor(id, ben.id);
  for (const table of ['sponsor', 'sponsor_image'])
    await app.sql.rows(`update ${table} set approval_state = 'PENDING' where id = any($1)`, [[id, image]]);
  const visibleCounts = async (person: Person) => {
    const answer = await app.graphql(
      `{ sponsor(id: "${id}") { images { totalCount } } sponsorships(filter: { sponsorId: { eq: "${id}" } }) { totalCount } }`,
      {},
      { user: person.user },
    );
    return { images: answer.sponsor?.images.totalCount ?? null, sponsorships: answer.sponsorships.totalCount };
  };
  expect({
    owner: await visibleCounts(ana),
    sponsoredUser: await visibleCounts(ben),
    otherUser: await visibleCounts(cleo),
  }).toEqual({
    owner: { images: 1, sponsorships: 1 },
    sponsoredUser: { images: 1, sponsorships: 1 },
    otherUser: { images: null, sponsorships: 0 },
  });
});

test('deleting a sponsorship keeps the others, and deleting a sponsor deletes all its sponsorships', async () => {
  const { id } = await app.sponsor(ana.id);
  await addSponsor(id, ben.id);
  await addSponsor(id, cleo.id);
  const sponsorships = async () =>
    (
      await app.graphql(
        `{ sponsorships(filter: { sponsorId: { eq: "${id}" } }, orderBy: [{ field: USER_ID }]) { nodes { id userId } } }`,
      )
    ).sponsorships.nodes;
  const [first] = await sponsorships();
  await app.graphql(`mutation { deleteSponsorship(id: "${first.id}") { id } }`);
  const userIds = (await sponsorships()).map(({ userId }: { userId: string }) => userId);
  expect(userIds).toEqual([[ben.id, cleo.id].toSorted()[1]]);
  await app.graphql(`mutation { deleteSponsor(id: "${id}") { id } }`);
  expect(await sponsorships()).toEqual([]);
});

test('deleting a sponsor returns the IDs of its images, sponsorships, approvals and comments', async () => {
  const { id, image } = await app.sponsor(ana.id);
  const added = await app.graphql(`mutation { createSponsorImage(input: { sponsorId: "${id}" }) { id } }`);
  await addSponsor(id, ben.id);
  const comments = [await comment(id), await comment(image)];
  const ids = 'deletedSponsorImageIds deletedSponsorshipIds deletedApprovalIds deletedApprovalCommentIds';
  const { sponsor } = await app.graphql(
    `{ sponsor(id: "${id}") { ${ids} approval { approvals { nodes { id } } } images { nodes { id approval { approvals { nodes { id } } } } } sponsorships { nodes { id } } } }`,
  );
  const { deleteSponsor } = await app.graphql(`mutation { deleteSponsor(id: "${id}") { id ${ids} } }`);
  const idsOf = ({ nodes }: { nodes: { id: string }[] }) => nodes.map((node) => node.id).toSorted();
  const approvals = [sponsor, ...sponsor.images.nodes].flatMap(({ approval }) => idsOf(approval.approvals));
  const sorted = Object.fromEntries(ids.split(' ').map((field) => [field, deleteSponsor[field].toSorted()]));
  expect({
    before: ids.split(' ').flatMap((field) => sponsor[field]),
    result: sorted,
    images: idsOf(sponsor.images),
    sponsorships: idsOf(sponsor.sponsorships),
    approvals: approvals.length,
  }).toEqual({
    before: [],
    result: {
      deletedSponsorImageIds: idsOf(sponsor.images),
      deletedSponsorshipIds: idsOf(sponsor.sponsorships),
      deletedApprovalIds: approvals.toSorted(),
      deletedApprovalCommentIds: comments.toSorted(),
    },
    images: expect.arrayContaining([image, added.createSponsorImage.id]),
    sponsorships: [expect.any(String)],
    approvals: 4,
  });
});

async function comment(itemId: string): Promise<string> {
  const answer = await app.graphql(`mutation { createApprovalComment(itemId: "${itemId}", content: "Too dark.") { id } }`);
  return answer.createApprovalComment.id;
}

test.for([
  ['deleteSponsorImage', async () => (await app.sponsor(ana.id)).image],
  ['deleteUserImage', () => app.image({ state: 'APPROVED', required: 1, approvers: [ben.id] }, ana.id)],
  [
    'deleteBiography',
    async () => {
      const input = 'input: { text: "Plays since 2019." }';
      const { createBiography } = await app.graphql(`mutation { createBiography(userId: "${ana.id}", ${input}) { id } }`);
      const { id } = createBiography;
      await app.graphql(`mutation { approveItem(type: BIOGRAPHY, id: "${id}") { given } }`);
      return id;
    },
  ],
] as const)('%s returns the IDs of the approvals and comments of the item', async ([mutation, create]) => {
  const id = await create();
  const commentId = await comment(id);
  const approvals = await app.sql.rows<{ id: string }>('select id from approval where item_id = $1', [id]);
  const userId = mutation === 'deleteSponsorImage' ? '' : `, userId: "${ana.id}"`;
  const answer = await app.graphql(
    `mutation { deleted: ${mutation}(id: "${id}"${userId}) { id deletedApprovalIds deletedApprovalCommentIds } }`,
  );
  expect({ approvals: approvals.length > 0, answer }).toEqual({
    approvals: true,
    answer: {
      deleted: {
        id,
        deletedApprovalIds: expect.arrayContaining(approvals.map((approval) => approval.id)),
        deletedApprovalCommentIds: [commentId],
      },
    },
  });
});

test('users of a list of sponsors take a constant number of statements', async () => {
  const owner = newId('owner');
  const query = `{ sponsors(filter: { userId: { eq: "${owner}" } }) { nodes { users { totalCount nodes { firstName sponsors { totalCount } } } sponsorships { nodes { user { id } } } } } }`;
  const statementsAfterAdding = async (count: number) => {
    for (let index = 0; index < count; index++) await addSponsor((await app.sponsor(owner)).id, ben.id);
    return statementsOf(app, () => app.graphql(query));
  };
  const forOne = await statementsAfterAdding(1);
  expect(await statementsAfterAdding(5)).toBe(forOne);
});
