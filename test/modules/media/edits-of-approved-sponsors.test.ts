import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person, Tokens } from '../../support/servers/app.js';
import { type CreatedSponsor, errorCodeOf, type MediaApp, startMediaApp } from './seeds.js';

let app: MediaApp;
let editor: Person;
let creatorAndConfirmer: Person;
let admin: Person;
beforeAll(async () => {
  app = await startMediaApp();
  editor = await app.person({ roles: ['CONTENT_CREATOR'] });
  creatorAndConfirmer = await app.person({ roles: ['CONTENT_CREATOR', 'CONTENT_CONFIRMER'] });
  admin = await app.person({ roles: ['ADMIN'] });
});
afterAll(() => app.close());

const withPlatform = ({ user }: Person): Tokens => ({ ...app.platform, user });

const approvedSponsor = (userId: string): Promise<CreatedSponsor> => app.sponsor(userId);

const approvalFields = `approval {
  state required given
  approvals(filter: { canceledAt: { isNull: true } }) { totalCount }
  canceled: approvals(filter: { canceledAt: { isNull: false } }) { totalCount }
}`;
interface WithApproval {
  approval: {
    state: string;
    required: number;
    given: number;
    approvals: { totalCount: number };
    canceled: { totalCount: number };
  };
}
const summary = ({ approval: { state, required, given, approvals, canceled } }: WithApproval) =>
  `${state} ${given}/${required}, ${approvals.totalCount} approvals, ${canceled.totalCount} canceled`;

/** Returns the approvals of a sponsor and of its images. The images are ordered by ID. */
async function approvalsOf(id: string) {
  const { sponsor } = await app.graphql(
    `{ sponsor(id: "${id}") { ${approvalFields} images(orderBy: [{ field: ID }]) { nodes { ${approvalFields} } } } }`,
  );
  return { sponsor: summary(sponsor), images: sponsor.images.nodes.map(summary) as string[] };
}

/** Updates a sponsor. Returns the approval of the sponsor, or the error code. */
const edit = async (id: string, input: object, tokens: Tokens = app.platform) => {
  const answer = await app.graphql(
    `mutation ($id: ID!, $input: SponsorSubmission!) { updateSponsor(id: $id, input: $input) { ${approvalFields} } }`,
    { id, input },
    tokens,
  );
  return answer.errors ? errorCodeOf(answer) : summary(answer.updateSponsor);
};

const stillApproved = 'APPROVED 2/2, 2 approvals, 0 canceled';
const pendingAgain = 'PENDING 0/2, 0 approvals, 2 canceled';
const neverApproved = 'PENDING 0/2, 0 approvals, 0 canceled';

describe('an approved sponsor becomes pending, with all approvals canceled, when a visible value changes', () => {
  test.for<[change: string, input: (made: CreatedSponsor) => object, images: string[]]>([
    ['another title', () => ({ title: 'New' }), [stillApproved]],
    ['no url', () => ({ url: null }), [stillApproved]],
    ['another description', () => ({ description: 'Other.' }), [stillApproved]],
    ['another image', ({ id }) => ({ images: [{ id: `${id}-zz`, url: 'https://second' }] }), [stillApproved, neverApproved]],
    ['a changed image', ({ image }) => ({ images: [{ id: image, url: 'https://other' }] }), [pendingAgain]],
    ['an image of another size', ({ image }) => ({ images: [{ id: image, size: 'L' }] }), [pendingAgain]],
    ['its image in another color', () => ({ color: 'blue' }), [pendingAgain]],
  ])('%s', async ([, input, images]) => {
    const sponsor = await approvedSponsor(editor.id);
    expect({ answer: await edit(sponsor.id, input(sponsor)), stored: await approvalsOf(sponsor.id) }).toEqual({
      answer: pendingAgain,
      stored: { sponsor: pendingAgain, images },
    });
  });
});

describe('an approved sponsor stays approved', () => {
  test.for<[string, (made: CreatedSponsor) => object]>([
    [
      'when an update repeats the stored values',
      ({ image }) => ({
        title: 'Title',
        url: 'https://url',
        description: 'Text.',
        images: [{ id: image, url: 'https://image', size: 'S' }],
      }),
    ],
    [
      'when only its display order, dates and rank change',
      ({ image }) => ({
        displayOrder: 7,
        isPrimary: true,
        startedAt: '2026-01-01T00:00:00Z',
        disabledAt: '2026-02-01T00:00:00Z',
        images: [{ id: image, displayOrder: 3, isPrimary: true, disabledAt: '2026-02-01T00:00:00Z' }],
      }),
    ],
  ])('%s', async ([, input]) => {
    const sponsor = await approvedSponsor(editor.id);
    expect({ answer: await edit(sponsor.id, input(sponsor)), stored: await approvalsOf(sponsor.id) }).toEqual({
      answer: stillApproved,
      stored: { sponsor: stillApproved, images: [stillApproved] },
    });
  });

  test('when its title is sent in another Unicode normalization form', async () => {
    const { id } = await approvedSponsor(editor.id);
    await edit(id, { title: 'Caf\u00e9' }, admin);
    expect(await edit(id, { title: 'Cafe\u0301' })).toBe(stillApproved);
  });

  test.for<[string, () => Tokens, () => string]>([
    ['an admin', () => admin, () => editor.id],
    ['an admin through a platform', () => withPlatform(admin), () => editor.id],
    ['a super admin', () => app.tokensOf('super admin'), () => editor.id],
    ['a platform without a user, if an admin owns it', () => app.platform, () => admin.id],
    ['a platform without a user, if nobody owns it', () => app.platform, () => ''],
    ['a platform without a user, if an unknown user owns it', () => app.platform, () => 'nobody'],
  ])('when it is changed by %s', async ([, tokens, owner]) => {
    const { id } = await approvedSponsor(owner());
    const answer = await edit(id, { title: 'New', images: [{ url: 'https://second' }] }, tokens());
    expect({ answer, stored: (await approvalsOf(id)).sponsor }).toEqual({ answer: stillApproved, stored: stillApproved });
  });
});

test.for<[string, () => Tokens, () => string, number]>([
  ['a creator through a platform', () => withPlatform(editor), () => '', 2],
  ['a creator who confirms, through a platform', () => withPlatform(creatorAndConfirmer), () => '', 1],
  ['a platform without a user, for a creator', () => app.platform, () => editor.id, 2],
  ['a platform without a user, for a creator who confirms', () => app.platform, () => creatorAndConfirmer.id, 1],
  ['a user without a role, through a platform', () => app.tokensOf('platform for the player'), () => '', 2],
])('a change needs as many approvals as a new sponsor: by %s', async ([, tokens, owner, required]) => {
  const { id } = await approvedSponsor(owner());
  expect(await edit(id, { title: 'New' }, tokens())).toBe(`PENDING 0/${required}, 0 approvals, 2 canceled`);
});

test('an item that a platform gives to another user needs approvals according to the roles of the new owner', async () => {
  const ofAdmin = await approvedSponsor(admin.id);
  const ofEditor = await approvedSponsor(editor.id);
  expect({
    fromAdminToEditor: await edit(ofAdmin.id, { title: 'New', userId: editor.id }),
    fromEditorToAdmin: await edit(ofEditor.id, { title: 'New', userId: admin.id }),
  }).toEqual({ fromAdminToEditor: pendingAgain, fromEditorToAdmin: stillApproved });
});

test('a sponsor that became pending is approved again, and its canceled approvals show who changed it', async () => {
  const { id } = await approvedSponsor(editor.id);
  await edit(id, { title: 'New' }, withPlatform(editor));
  const first = await app.step('approveItem', id, app.tokensOf('admin'), 'SPONSOR');
  const second = await app.step('approveItem', id, app.tokensOf('platform'), 'SPONSOR');
  const { approvals } = await app.graphql(
    `{ approvals(filter: { itemId: { eq: "${id}" }, canceledAt: { isNull: false } }) { nodes { canceledById } } }`,
  );
  expect({ first, second, canceled: approvals.nodes }).toEqual({
    first: 'PENDING 1/2',
    second: 'APPROVED 2/2',
    canceled: [{ canceledById: editor.id }, { canceledById: editor.id }],
  });
});

test('concurrent changes and approvals leave a count that equals the approvals', async () => {
  const { id } = await approvedSponsor(editor.id);
  await Promise.all([
    ...['A', 'B', 'C'].map((title) => edit(id, { title })),
    ...['super admin', 'admin', 'confirmer', 'platform'].map((by) => app.step('approveItem', id, app.tokensOf(by), 'SPONSOR')),
  ]);
  const { approval } = (await app.graphql(`{ sponsor(id: "${id}") { ${approvalFields} } }`)).sponsor;
  expect(approval.given).toBe(approval.approvals.totalCount);
});

describe('a single image of an approved sponsor', () => {
  const run = async (operation: string) => {
    const answer = await app.graphql(`mutation { done: ${operation} { id } }`);
    return answer.errors?.[0] ?? 'done';
  };

  test.for<[string, (made: CreatedSponsor) => string, stored: { sponsor: string; images: string[] }]>([
    [
      'makes the sponsor pending when it is added',
      ({ id }) => `createSponsorImage(input: { id: "${id}-zz", sponsorId: "${id}", url: "https://second" })`,
      { sponsor: pendingAgain, images: [stillApproved, neverApproved] },
    ],
    [
      'becomes pending with the sponsor when it is changed',
      ({ image }) => `updateSponsorImage(id: "${image}", input: { url: "https://other" })`,
      { sponsor: pendingAgain, images: [pendingAgain] },
    ],
    [
      'stays approved when its display order changes',
      ({ image }) => `updateSponsorImage(id: "${image}", input: { displayOrder: 4 })`,
      { sponsor: stillApproved, images: [stillApproved] },
    ],
    [
      'makes the sponsor pending when it is deleted',
      ({ image }) => `deleteSponsorImage(id: "${image}")`,
      { sponsor: pendingAgain, images: [] },
    ],
  ])('%s', async ([, operation, stored]) => {
    const sponsor = await approvedSponsor(editor.id);
    expect({ result: await run(operation(sponsor)), stored: await approvalsOf(sponsor.id) }).toEqual({ result: 'done', stored });
  });

  test('makes both sponsors pending when it moves from one to the other', async () => {
    const from = await approvedSponsor(editor.id);
    const to = await approvedSponsor(editor.id);
    const result = await run(`updateSponsorImage(id: "${from.image}", input: { sponsorId: "${to.id}" })`);
    const approvalsOfTo = await approvalsOf(to.id);
    expect({
      result,
      from: await approvalsOf(from.id),
      to: { sponsor: approvalsOfTo.sponsor, images: approvalsOfTo.images.toSorted() },
    }).toEqual({
      result: 'done',
      from: { sponsor: pendingAgain, images: [] },
      to: { sponsor: pendingAgain, images: [stillApproved, pendingAgain].toSorted() },
    });
  });

  test('returns NOT_FOUND when it or its sponsor is unknown', async () => {
    const { image } = await approvedSponsor(editor.id);
    expect({
      moveToUnknownSponsor: await run(`updateSponsorImage(id: "${image}", input: { sponsorId: "nobody" })`),
      updateUnknownImage: await run('updateSponsorImage(id: "none", input: {})'),
      deleteUnknownImage: await run('deleteSponsorImage(id: "none")'),
    }).toEqual({
      moveToUnknownSponsor: 'NOT_FOUND: no sponsor with the id nobody',
      updateUnknownImage: 'NOT_FOUND: no sponsorImage with the id none',
      deleteUnknownImage: 'NOT_FOUND: no sponsorImage with the id none',
    });
  });
});
