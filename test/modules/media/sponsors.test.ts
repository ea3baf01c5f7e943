import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tokens } from '../../support/servers/app.js';
import { errorCodeOf, type MediaApp, newId, startMediaApp } from './seeds.js';

let app: MediaApp;
beforeAll(async () => {
  app = await startMediaApp();
});
afterAll(() => app.close());

describe('a new sponsor', () => {
  const create =
    'mutation ($input: SponsorSubmission!) { createSponsor(input: $input) { id approval { state required given } images { nodes { approval { state required } } } } }';
  /**
   * Creators with their roles, and the number of approvals that a sponsor of the creator requires. Null if the creator may not create
   * sponsors.
   */
  const cases: [creator: string, roles: string[], required: number | null][] = [
    ['ADMIN', ['ADMIN'], 0],
    ['NEWS_ADMIN, which includes both', ['NEWS_ADMIN'], 1],
    ['CONTENT_CREATOR and CONTENT_CONFIRMER', ['CONTENT_CREATOR', 'CONTENT_CONFIRMER'], 1],
    ['CONTENT_CREATOR', ['CONTENT_CREATOR'], 2],
    ['CONTENT_CONFIRMER', ['CONTENT_CONFIRMER'], null],
    ['a user without roles', [], null],
  ];
  const createdWith = (required: number) => {
    const state = required ? 'PENDING' : 'APPROVED';
    return { state, required, given: 0, images: [{ approval: { state, required } }] };
  };
  const createSponsor = async (tokens: Tokens, userId?: string) => {
    const answer = await app.graphql(create, { input: { title: 'Volley Works', size: 'large', userId } }, tokens);
    if (answer.errors) return errorCodeOf(answer);
    return { ...answer.createSponsor.approval, images: answer.createSponsor.images.nodes };
  };

  test.for(cases)('requires the approvals of the creator’s roles: %s', async ([, roles, required]) => {
    const { id, user } = await app.person({ roles });
    const expected = required === null ? 'FORBIDDEN' : createdWith(required);
    expect({
      byUser: await createSponsor({ user }),
      byUserThroughPlatform: await createSponsor({ ...app.platform, user }),
      byPlatformForUser: await createSponsor(app.platform, id),
    }).toEqual({ byUser: expected, byUserThroughPlatform: expected, byPlatformForUser: expected });
  });

  test('by a super admin requires no approval', async () =>
    expect(await createSponsor(app.tokensOf('super admin'))).toEqual(createdWith(0)));
  test('by a platform requires no approval', async () => expect(await createSponsor(app.platform)).toEqual(createdWith(0)));
  test('by a platform for an unknown user requires no approval', async () =>
    expect(await createSponsor(app.platform, 'nobody')).toEqual(createdWith(0)));

  test('is rejected with all problems of the sponsor and its images together', async () => {
    const input = { id: '', title: 't'.repeat(10_001), images: [{ url: 'right' }, { id: '' }] };
    const problemFields = async (query: string) => {
      const { body } = await app.rest('POST', '/graphql', app.platform, { query, variables: { input } });
      return body.errors[0].extensions.problems.map(({ field }: { field: string }) => field);
    };
    const { createSponsor: existing } = await app.graphql('mutation { createSponsor(input: { title: "There" }) { id } }');
    const update = `mutation ($input: SponsorSubmission!) { updateSponsor(id: "${existing.id}", input: $input) { id } }`;
    const allFields = ['input.id', 'input.title', 'input.images[1].id'];
    expect({ create: await problemFields(create), update: await problemFields(update) }).toEqual({
      create: allFields,
      update: allFields,
    });
  });

  test('belongs to its creator, unless the input names another user', async () => {
    const ownerAndCreator = async (userId?: string) =>
      (
        await app.graphql(
          'mutation ($input: SponsorSubmission!) { createSponsor(input: $input) { userId creator { id } } }',
          { input: { userId } },
          app.tokensOf('creator'),
        )
      ).createSponsor;
    const creator = { id: app.idOf('creator') };
    expect({ unnamed: await ownerAndCreator(), named: await ownerAndCreator('somebody') }).toEqual({
      unnamed: { userId: app.idOf('creator'), creator },
      named: { userId: 'somebody', creator },
    });
  });

  test('is approved separately from its images', async () => {
    const { createSponsor } = await app.graphql(
      'mutation { createSponsor(input: { size: "small" }) { id images { nodes { id } } } }',
      {},
      app.tokensOf('creator'),
    );
    const [image] = createSponsor.images.nodes;
    expect({
      first: await app.step('approveItem', createSponsor.id, app.tokensOf('confirmer'), 'SPONSOR'),
      second: await app.step('approveItem', createSponsor.id, app.platform, 'SPONSOR'),
      image: await app.step('approveItem', image.id, app.platform, 'SPONSOR_IMAGE'),
    }).toEqual({ first: 'PENDING 1/2', second: 'APPROVED 2/2', image: 'PENDING 1/2' });
  });

  test('is rejected as a whole with more than 100 images', async () => {
    const images = Array.from({ length: 101 }, () => ({ url: 'https://img.example' }));
    const id = newId('sponsor');
    const { errors } = await app.graphql(create, { input: { id, images } });
    const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { id } }`);
    expect({ errors, sponsor }).toEqual({ errors: ['BAD_INPUT: input.images: expected at most 100 images'], sponsor: null });
  });

  test('is deleted with its images, approvals and comments', async () => {
    const id = newId('sponsor');
    const input = { id, images: [{ id: `${id}-image` }] };
    await app.graphql(
      'mutation ($input: SponsorSubmission!) { createSponsor(input: $input) { id } }',
      { input },
      app.tokensOf('creator'),
    );
    await app.step('approveItem', `${id}-image`, app.platform, 'SPONSOR_IMAGE');
    await app.graphql(`mutation { createApprovalComment(itemId: "${id}-image", content: "Nice.") { id } }`);
    await app.graphql(`mutation { deleteSponsor(id: "${id}") { id } }`);
    const remaining = await app.graphql(
      `{ sponsorImage(id: "${id}-image") { id } approvals(filter: { itemId: { eq: "${id}-image" } }) { totalCount }
         approvalComments(filter: { itemId: { eq: "${id}-image" } }) { totalCount } }`,
    );
    expect(remaining).toEqual({ sponsorImage: null, approvals: { totalCount: 0 }, approvalComments: { totalCount: 0 } });
  });

  test('keeps the values of an image that an update omits', async () => {
    const id = newId('sponsor');
    const images = (values: object) => ({ input: { id, images: [{ id: `${id}-image`, ...values }] } });
    await app.graphql(create, images({ size: 'small', color: 'red', isPrimary: true }));
    const { updateSponsor } = await app.graphql(
      `mutation ($input: SponsorSubmission!) { updateSponsor(id: "${id}", input: $input) { images { nodes { size color isPrimary url } } } }`,
      images({ color: 'blue', url: 'https://img.example' }),
    );
    expect(updateSponsor.images.nodes).toEqual([{ size: 'small', color: 'blue', isPrimary: true, url: 'https://img.example' }]);
  });
});
