import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person, Tokens } from '../support/app.js';
import { code, type MediaApp, type SponsorMade, startMediaApp } from './media-seeds.js';

let app: MediaApp;
let editor: Person;
let both: Person;
let boss: Person;
beforeAll(async () => {
  app = await startMediaApp();
  editor = await app.person({ roles: ['CONTENT_CREATOR'] });
  both = await app.person({ roles: ['CONTENT_CREATOR', 'CONTENT_CONFIRMER'] });
  boss = await app.person({ roles: ['ADMIN'] });
});
afterAll(() => app.close());

const beside = ({ user }: Person): Tokens => ({ ...app.platform, user });

const approvedSponsor = (userId: string): Promise<SponsorMade> => app.sponsor(userId);

const stands = `approval { state required given approvals(filter: { canceledAt: { isNull: true } }) { totalCount } canceled: approvals(filter: { canceledAt: { isNull: false } }) { totalCount } }`;
interface Stand {
  approval: {
    state: string;
    required: number;
    given: number;
    approvals: { totalCount: number };
    canceled: { totalCount: number };
  };
}
const told = ({ approval: { state, required, given, approvals, canceled } }: Stand) =>
  `${state} ${given}/${required}, ${approvals.totalCount} approvals, ${canceled.totalCount} canceled`;

/** Where a sponsor and its images stand, the images by their ids. */
async function seen(id: string) {
  const { sponsor } = await app.graphql(
    `{ sponsor(id: "${id}") { ${stands} images(orderBy: [{ field: ID }]) { nodes { ${stands} } } } }`,
  );
  return [told(sponsor), ...sponsor.images.nodes.map(told)];
}

const edit = async (id: string, input: object, tokens: Tokens = app.platform) => {
  const answer = await app.graphql(
    `mutation ($id: ID!, $input: SponsorSubmission!) { updateSponsor(id: $id, input: $input) { ${stands} } }`,
    { id, input },
    tokens,
  );
  return answer.errors ? code(answer) : told(answer.updateSponsor);
};

const still = 'APPROVED 2/2, 2 approvals, 0 canceled';
const again = 'PENDING 0/2, 0 approvals, 2 canceled';
const newOne = 'PENDING 0/2, 0 approvals, 0 canceled';

describe('an approved sponsor is pending again, all its approvals canceled, when it shows', () => {
  test.for<[string, (made: SponsorMade) => object, string[]]>([
    ['another title', () => ({ title: 'New' }), [again, still]],
    ['no url any more', () => ({ url: null }), [again, still]],
    ['another description', () => ({ description: 'Other.' }), [again, still]],
    ['another image', () => ({ images: [{ id: 'zz', url: 'https://second' }] }), [again, still, newOne]],
    ['a changed image', ({ image }) => ({ images: [{ id: image, url: 'https://other' }] }), [again, again]],
    ['an image of another size', ({ image }) => ({ images: [{ id: image, size: 'L' }] }), [again, again]],
    ['its image in another color', () => ({ color: 'blue' }), [again, again]],
  ])('%s', async ([, input, expected]) => {
    const made = await approvedSponsor(editor.id);
    const given = JSON.parse(JSON.stringify(input(made)).replace('"zz"', `"${made.id}-zz"`));
    expect([await edit(made.id, given), await seen(made.id)]).toEqual([expected[0], expected]);
  });
});

describe('it stays approved', () => {
  test.for<[string, (made: SponsorMade) => object]>([
    [
      'when it is sent as it is',
      ({ image }) => ({
        title: 'Title',
        url: 'https://url',
        description: 'Text.',
        images: [{ id: image, url: 'https://image', size: 'S' }],
      }),
    ],
    [
      'in another place, at another time, of the first rank',
      ({ image }) => ({
        displayOrder: 7,
        isPrimary: true,
        startedAt: '2026-01-01T00:00:00Z',
        disabledAt: '2026-02-01T00:00:00Z',
        images: [{ id: image, displayOrder: 3, isPrimary: true, disabledAt: '2026-02-01T00:00:00Z' }],
      }),
    ],
  ])('%s', async ([, input]) => {
    const made = await approvedSponsor(editor.id);
    expect([await edit(made.id, input(made)), await seen(made.id)]).toEqual([still, [still, still]]);
  });

  test('when its title is typed in the other form of Unicode', async () => {
    const { id } = await approvedSponsor(editor.id);
    await edit(id, { title: 'Caf\u00e9' }, boss);
    expect(await edit(id, { title: 'Cafe\u0301' })).toBe(still);
  });

  test.for<[string, () => Tokens, () => string]>([
    ['an admin', () => boss, () => editor.id],
    ['an admin beside a platform', () => beside(boss), () => editor.id],
    ['a super admin', () => app.tokensOf('super admin'), () => editor.id],
    ['a platform alone, for an admin', () => app.platform, () => boss.id],
    ['a platform alone, for nobody', () => app.platform, () => ''],
    ['a platform alone, for somebody unknown', () => app.platform, () => 'nobody'],
  ])('when %s changes it, who needs no approval', async ([, tokens, owner]) => {
    const { id } = await approvedSponsor(owner());
    expect([await edit(id, { title: 'New', images: [{ url: 'https://second' }] }, tokens()), (await seen(id))[0]]).toEqual([
      still,
      still,
    ]);
  });
});

test.for<[string, () => Tokens, () => string, number]>([
  ['a creator beside a platform', () => beside(editor), () => '', 2],
  ['a creator who confirms, beside a platform', () => beside(both), () => '', 1],
  ['a platform alone for a creator', () => app.platform, () => editor.id, 2],
  ['a platform alone for a creator who confirms', () => app.platform, () => both.id, 1],
  ['a platform beside somebody who makes no sponsors', () => app.tokensOf('platform for the player'), () => '', 2],
])('a change by %s needs the approvals of a new sponsor', async ([, tokens, owner, required]) => {
  const { id } = await approvedSponsor(owner());
  expect(await edit(id, { title: 'New' }, tokens())).toBe(`PENDING 0/${required}, 0 approvals, 2 canceled`);
});

test('the owner that a change names is the one for whom a platform acts', async () => {
  const [one, other] = [await approvedSponsor(boss.id), await approvedSponsor(editor.id)];
  expect([
    await edit(one.id, { title: 'New', userId: editor.id }),
    await edit(other.id, { title: 'New', userId: boss.id }),
  ]).toEqual([again, still]);
});

test('what is pending again is approved again, and who canceled is told', async () => {
  const { id } = await approvedSponsor(editor.id);
  await edit(id, { title: 'New' }, beside(editor));
  const steps = [];
  for (const caller of ['admin', 'platform']) steps.push(await app.step('approveItem', id, app.tokensOf(caller), 'SPONSOR'));
  const { approvals } = await app.graphql(
    `{ approvals(filter: { itemId: { eq: "${id}" }, canceledAt: { isNull: false } }) { nodes { canceledById } } }`,
  );
  expect([steps, approvals.nodes]).toEqual([
    ['PENDING 1/2', 'APPROVED 2/2'],
    [{ canceledById: editor.id }, { canceledById: editor.id }],
  ]);
});

test('changes and approvals at the same moment leave as many approvals as are counted', async () => {
  const { id } = await approvedSponsor(editor.id);
  await Promise.all([
    ...['A', 'B', 'C'].map((title) => edit(id, { title })),
    ...['super admin', 'admin', 'confirmer', 'platform'].map((by) => app.step('approveItem', id, app.tokensOf(by), 'SPONSOR')),
  ]);
  const { approval } = (await app.graphql(`{ sponsor(id: "${id}") { ${stands} } }`)).sponsor;
  expect(approval.given).toBe(approval.approvals.totalCount);
});

describe('images by themselves', () => {
  const change = async (operation: string) => {
    const answer = await app.graphql(`mutation { done: ${operation} { id } }`);
    return answer.errors?.[0] ?? 'done';
  };

  test.for<[string, (made: SponsorMade) => string, string[]]>([
    [
      'added',
      ({ id }) => `createSponsorImage(input: { id: "${id}-zz", sponsorId: "${id}", url: "https://second" })`,
      [again, still, newOne],
    ],
    ['changed', ({ image }) => `updateSponsorImage(id: "${image}", input: { url: "https://other" })`, [again, again]],
    ['moved within the order', ({ image }) => `updateSponsorImage(id: "${image}", input: { displayOrder: 4 })`, [still, still]],
    ['deleted', ({ image }) => `deleteSponsorImage(id: "${image}")`, [again]],
  ])('%s', async ([, operation, expected]) => {
    const made = await approvedSponsor(editor.id);
    expect([await change(operation(made)), await seen(made.id)]).toEqual(['done', expected]);
  });

  test('given to another sponsor, which has to be approved with it', async () => {
    const [from, to] = [await approvedSponsor(editor.id), await approvedSponsor(editor.id)];
    const done = await change(`updateSponsorImage(id: "${from.image}", input: { sponsorId: "${to.id}" })`);
    expect([done, await seen(from.id), (await seen(to.id)).toSorted()]).toEqual([
      'done',
      [again],
      [still, again, again].toSorted(),
    ]);
  });

  test('of an unknown sponsor or none are NOT_FOUND', async () => {
    const { image } = await approvedSponsor(editor.id);
    expect([
      await change(`updateSponsorImage(id: "${image}", input: { sponsorId: "nobody" })`),
      await change('updateSponsorImage(id: "none", input: {})'),
      await change('deleteSponsorImage(id: "none")'),
    ]).toEqual([
      'NOT_FOUND: no sponsor with the id nobody',
      'NOT_FOUND: no sponsorImage with the id none',
      'NOT_FOUND: no sponsorImage with the id none',
    ]);
  });
});
