import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tokens } from '../../support/servers/app.js';
import { errorCodeOf, type MediaApp, newId, pending, startMediaApp } from './seeds.js';

let app: MediaApp;
beforeAll(async () => {
  app = await startMediaApp();
});
afterAll(() => app.close());

describe('visibility', () => {
  /** Returns the counts and approval states of a user's media, as the caller sees them. */
  const visibleMedia = async (tokens: Tokens, userId: string) => {
    const { user } = await app.graphql(
      `{ user(id: "${userId}") { images(orderBy: [{ field: ID }]) { totalCount nodes { approval { state } } } biography { text } biographies { totalCount } } }`,
      {},
      tokens,
    );
    return {
      imageStates: user.images.nodes.map(({ approval }: { approval: { state: string } }) => approval.state).sort(),
      imageCount: user.images.totalCount,
      biography: user.biography?.text,
      biographyCount: user.biographies.totalCount,
    };
  };

  test('everyone sees approved media, and only the owner, confirmers, admins and platforms see all', async () => {
    const owner = await app.person();
    for (const state of ['PENDING', 'APPROVED', 'DECLINED']) await app.image({ state, required: 1, approvers: [] }, owner.id);
    for (const [index, text] of ['old', 'new', 'newest, pending'].entries()) {
      await app.sql.rows(`insert into biography (id, user_id, text, approval_state) values ($1, $2, $3, $4)`, [
        newId('biography'),
        owner.id,
        text,
        index < 2 ? 'APPROVED' : 'PENDING',
      ]);
    }
    const approved = { imageStates: ['APPROVED'], imageCount: 1, biography: 'new', biographyCount: 2 };
    const all = { imageStates: ['APPROVED', 'DECLINED', 'PENDING'], imageCount: 3, biography: 'new', biographyCount: 3 };
    const expected = {
      player: approved,
      creator: approved,
      'platform for the player': approved,
      owner: all,
      confirmer: all,
      admin: all,
      'super admin': all,
      platform: all,
    };
    const visible = await Promise.all(
      Object.keys(expected).map(async (caller) => [
        caller,
        await visibleMedia(caller === 'owner' ? owner : app.tokensOf(caller), owner.id),
      ]),
    );
    expect(Object.fromEntries(visible)).toEqual(expected);
  });

  test('an image of a pending sponsor is visible to its creator and to platforms only', async () => {
    const { createSponsor } = await app.graphql(
      'mutation { createSponsor(input: { color: "red" }) { images { nodes { id } } } }',
      {},
      app.tokensOf('creator'),
    );
    const [{ id }] = createSponsor.images.nodes;
    const visibleTo = async (caller: string) =>
      (await app.graphql(`{ sponsorImage(id: "${id}") { id } }`, {}, app.tokensOf(caller))).sponsorImage;
    expect({
      creator: await visibleTo('creator'),
      player: await visibleTo('player'),
      platform: await visibleTo('platform'),
    }).toEqual({ creator: { id }, player: null, platform: { id } });
  });
});

describe('items with an approval', () => {
  test.for(['sponsors', 'sponsorImages', 'userImages', 'biographies'])('%s are filtered by state', async (list) => {
    const answer = await app.graphql(
      `{ ${list}(first: 100, filter: { approvalState: { eq: PENDING } }) { totalCount nodes { approval { state } } } }`,
    );
    const { totalCount, nodes } = answer[list];
    const states = [...new Set(nodes.map(({ approval }: { approval: { state: string } }) => approval.state))];
    expect({ totalCount, states }).toEqual({ totalCount: nodes.length, states: nodes.length ? ['PENDING'] : [] });
  });

  test('approvals and comments of a list of items take a constant number of statements', async () => {
    const owner = newId('owner');
    const statementsAfterAdding = async (count: number) => {
      for (let index = 0; index < count; index++)
        await app.image({ state: 'PENDING', required: 2, approvers: [app.idOf('confirmer')] }, owner);
      const before = app.statements();
      await app.graphql(
        `{ userImages(first: 100, filter: { userId: { eq: "${owner}" } }) { totalCount nodes { user { firstName }
           approval { given approvals { totalCount nodes { approvedBy { firstName } } } comments { totalCount nodes { author { id } } } } } } }`,
      );
      return app.statements() - before;
    };
    const forOne = await statementsAfterAdding(1);
    expect(await statementsAfterAdding(8)).toBe(forOne);
  });

  test('an item shows its approvals and its comments', async () => {
    const id = await app.image(pending(2));
    await app.step('approveItem', id, app.tokensOf('confirmer'));
    await app.step('approveItem', id, app.platform);
    await app.graphql(
      `mutation { createApprovalComment(itemId: "${id}", content: "Sharp.") { id } }`,
      {},
      app.tokensOf('player'),
    );
    const { userImage } = await app.graphql(
      `{ userImage(id: "${id}") { approval { state approvals(orderBy: [{ field: APPROVED_AT }]) { nodes { approvedBy { firstName } approvedByPlatform { title } } }
         comments { totalCount nodes { content author { firstName } } } } } }`,
    );
    expect(userImage.approval).toEqual({
      state: 'APPROVED',
      approvals: {
        nodes: [
          { approvedBy: { firstName: 'Cara' }, approvedByPlatform: null },
          { approvedBy: null, approvedByPlatform: { title: 'Test Platform' } },
        ],
      },
      comments: { totalCount: 1, nodes: [{ content: 'Sharp.', author: { firstName: 'Pia' } }] },
    });
  });
});

describe('images and biographies of users', () => {
  test('are added by the user or a platform, and start pending', async () => {
    const added = { userId: app.idOf('player'), type: 'ACTION', approval: { state: 'PENDING', required: 1 } };
    const create = async (tokens: Tokens) => {
      const answer = await app.graphql(
        `mutation { createUserImage(userId: "${app.idOf('player')}", input: { type: ACTION }) {
          userId type approval { state required } } }`,
        {},
        tokens,
      );
      return answer.createUserImage ?? errorCodeOf(answer);
    };
    expect({
      byUser: await create(app.tokensOf('player')),
      byPlatform: await create(app.platform),
      byOtherUser: await create(app.tokensOf('creator')),
    }).toEqual({ byUser: added, byPlatform: added, byOtherUser: 'FORBIDDEN' });
  });

  test('an image without a type is rejected', async () =>
    expect(await app.graphql('mutation { createUserImage(userId: "x", input: {}) { id } }')).toEqual({
      errors: ['BAD_INPUT: input.type: expected an image type'],
    }));

  test('can be deleted only by their user, and only under the ID of that user', async () => {
    const id = await app.image(pending());
    const deleteImage = async (userId: string, tokens: Tokens) => {
      const answer = await app.graphql(`mutation { deleteUserImage(userId: "${userId}", id: "${id}") { id } }`, {}, tokens);
      return answer.errors ? errorCodeOf(answer) : answer.deleteUserImage;
    };
    const [player, creator] = [app.idOf('player'), app.idOf('creator')];
    expect({
      byOtherUserAsTheirOwn: await deleteImage(creator, app.tokensOf('creator')),
      byOtherUser: await deleteImage(player, app.tokensOf('creator')),
      byOwner: await deleteImage(player, app.tokensOf('player')),
    }).toEqual({ byOtherUserAsTheirOwn: 'NOT_FOUND', byOtherUser: 'FORBIDDEN', byOwner: { id } });
  });

  test('are deleted once by concurrent requests', async () => {
    const id = await app.image(pending());
    const [userId, tokens] = [app.idOf('player'), app.tokensOf('player')];
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.graphql(`mutation { deleteUserImage(userId: "${userId}", id: "${id}") { id } }`, {}, tokens)),
    );
    expect(answers.map(({ errors }) => errors?.[0] ?? 'deleted').toSorted()).toEqual([
      `NOT_FOUND: no userImage of that user with the id ${id}`,
      `NOT_FOUND: no userImage of that user with the id ${id}`,
      'deleted',
    ]);
  });
});

describe('a comment', () => {
  test('can be changed only by its author, confirmers and platforms', async () => {
    const { createApprovalComment } = await app.graphql(
      'mutation { createApprovalComment(itemId: "i", content: "First.") { id modifiedAt } }',
      {},
      app.tokensOf('player'),
    );
    const change = async (caller: string) => {
      const answer = await app.graphql(
        `mutation { updateApprovalComment(id: "${createApprovalComment.id}", content: "Changed.") { content modifiedAt } }`,
        {},
        app.tokensOf(caller),
      );
      return answer.updateApprovalComment ?? errorCodeOf(answer);
    };
    const changed = { content: 'Changed.', modifiedAt: expect.any(String) };
    expect({
      modifiedAtOfNew: createApprovalComment.modifiedAt,
      author: await change('player'),
      confirmer: await change('confirmer'),
      platform: await change('platform'),
      otherUser: await change('creator'),
    }).toEqual({ modifiedAtOfNew: null, author: changed, confirmer: changed, platform: changed, otherUser: 'FORBIDDEN' });
  });

  test('is deleted once by concurrent requests', async () => {
    const { createApprovalComment } = await app.graphql(
      'mutation { createApprovalComment(itemId: "i", content: "First.") { id } }',
    );
    const { id } = createApprovalComment;
    const deleteComment = () => app.graphql(`mutation { deleteApprovalComment(id: "${id}", itemId: "i") { content } }`);
    const answers = await Promise.all([deleteComment(), deleteComment()]);
    expect(answers.map(({ errors }) => errors?.[0] ?? 'deleted').toSorted()).toEqual([
      `NOT_FOUND: no approvalComment with the id ${id}`,
      'deleted',
    ]);
  });

  test('without text is rejected', async () =>
    expect(await app.graphql('mutation { createApprovalComment(itemId: "i", content: "") { id } }')).toEqual({
      errors: ['BAD_INPUT: content: expected a non-empty string'],
    }));

  test('with a blank text is rejected, when it is created and when it is changed', async () => {
    const { createApprovalComment } = await app.graphql(
      'mutation { createApprovalComment(itemId: "i", content: "First.") { id } }',
    );
    const blank = '" \\n\\t "';
    const create = await app.graphql(`mutation { createApprovalComment(itemId: "i", content: ${blank}) { id } }`);
    const update = await app.graphql(
      `mutation { updateApprovalComment(id: "${createApprovalComment.id}", content: ${blank}) { id } }`,
    );
    const errors = ['BAD_INPUT: content: expected a non-blank string'];
    expect({ create: create.errors, update: update.errors }).toEqual({ create: errors, update: errors });
  });
});
