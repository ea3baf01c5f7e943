import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tokens } from '../support/app.js';
import { code, type MediaApp, newId, startMediaApp } from './media-seeds.js';

let app: MediaApp;
beforeAll(async () => {
  app = await startMediaApp();
});
afterAll(() => app.close());

describe('a new sponsor', () => {
  const create =
    'mutation ($input: SponsorSubmission!) { createSponsor(input: $input) { id approval { state required given } images { nodes { approval { state required } } } } }';
  const cases: [maker: string, roles: string[], required: number | null][] = [
    ['ADMIN', ['ADMIN'], 0],
    ['NEWS_ADMIN, who inherits both', ['NEWS_ADMIN'], 1],
    ['CONTENT_CREATOR and CONTENT_CONFIRMER', ['CONTENT_CREATOR', 'CONTENT_CONFIRMER'], 1],
    ['CONTENT_CREATOR', ['CONTENT_CREATOR'], 2],
    ['CONTENT_CONFIRMER', ['CONTENT_CONFIRMER'], null],
    ['nobody in particular', [], null],
  ];
  const made = (required: number) => {
    const state = required ? 'PENDING' : 'APPROVED';
    return { state, required, given: 0, images: [{ approval: { state, required } }] };
  };
  const by = async (tokens: Tokens, userId?: string) => {
    const answer = await app.graphql(create, { input: { title: 'Volley Works', size: 'large', userId } }, tokens);
    if (answer.errors) return code(answer);
    return { ...answer.createSponsor.approval, images: answer.createSponsor.images.nodes };
  };

  test.for(cases)('by %s', async ([, roles, required]) => {
    const { id, user } = await app.person({ roles });
    const expected = required === null ? 'FORBIDDEN' : made(required);
    expect([await by({ user }), await by({ ...app.platform, user }), await by(app.platform, id)]).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  test('hears of all that is wrong with it and with its images at once', async () => {
    const input = { id: '', title: 't'.repeat(10_001), images: [{ url: 'right' }, { id: '' }] };
    const fields = async (query: string) => {
      const { body } = await app.rest('POST', '/graphql', app.platform, { query, variables: { input } });
      return body.errors[0].extensions.problems.map(({ field }: { field: string }) => field);
    };
    const { createSponsor } = await app.graphql('mutation { createSponsor(input: { title: "There" }) { id } }');
    const all = ['input.id', 'input.title', 'input.images[1].id'];
    expect([
      await fields(create),
      await fields(`mutation ($input: SponsorSubmission!) { updateSponsor(id: "${createSponsor.id}", input: $input) { id } }`),
    ]).toEqual([all, all]);
  });

  test('by a super admin', async () => expect(await by(app.tokensOf('super admin'))).toEqual(made(0)));
  test('by a platform', async () => expect(await by(app.platform)).toEqual(made(0)));
  test('by a platform for somebody unknown', async () => expect(await by(app.platform, 'nobody')).toEqual(made(0)));

  test('is that of its maker, unless another user is named', async () => {
    const owners = await Promise.all(
      [undefined, 'somebody'].map((userId) =>
        app.graphql(
          'mutation ($input: SponsorSubmission!) { createSponsor(input: $input) { userId creator { id } } }',
          { input: { userId } },
          app.tokensOf('creator'),
        ),
      ),
    );
    const creator = { id: app.idOf('creator') };
    expect(owners.map(({ createSponsor }) => createSponsor)).toEqual([
      { userId: app.idOf('creator'), creator },
      { userId: 'somebody', creator },
    ]);
  });

  test('is approved step by step, with its images apart', async () => {
    const { createSponsor } = await app.graphql(
      'mutation { createSponsor(input: { size: "small" }) { id images { nodes { id } } } }',
      {},
      app.tokensOf('creator'),
    );
    const [picture] = createSponsor.images.nodes;
    expect([
      await app.step('approveItem', createSponsor.id, app.tokensOf('confirmer'), 'SPONSOR'),
      await app.step('approveItem', createSponsor.id, app.platform, 'SPONSOR'),
      await app.step('approveItem', picture.id, app.platform, 'SPONSOR_IMAGE'),
    ]).toEqual(['PENDING 1/2', 'APPROVED 2/2', 'PENDING 1/2']);
  });

  test('takes at most 100 images, all or nothing', async () => {
    const images = Array.from({ length: 101 }, () => ({ url: 'https://img.example' }));
    const id = newId('sponsor');
    const { errors } = await app.graphql(create, { input: { id, images } });
    const { sponsor } = await app.graphql(`{ sponsor(id: "${id}") { id } }`);
    expect([errors, sponsor]).toEqual([['BAD_INPUT: input.images: expected at most 100 images'], null]);
  });

  test('goes with its images, approvals and comments', async () => {
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
    const left = await app.graphql(
      `{ sponsorImage(id: "${id}-image") { id } approvals(filter: { itemId: { eq: "${id}-image" } }) { totalCount }
         approvalComments(filter: { itemId: { eq: "${id}-image" } }) { totalCount } }`,
    );
    expect(left).toEqual({ sponsorImage: null, approvals: { totalCount: 0 }, approvalComments: { totalCount: 0 } });
  });

  test('keeps what a change of an image leaves out', async () => {
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
