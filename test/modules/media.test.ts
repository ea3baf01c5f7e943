import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tokens } from '../support/app.js';
import { code, type MediaApp, newId, pending, startMediaApp } from './media-seeds.js';

let app: MediaApp;
beforeAll(async () => {
  app = await startMediaApp();
});
afterAll(() => app.close());

describe('who sees what', () => {
  const seen = async (tokens: Tokens, userId: string) => {
    const { user } = await app.graphql(
      `{ user(id: "${userId}") { images(orderBy: [{ field: ID }]) { totalCount nodes { approval { state } } } biography { text } biographies { totalCount } } }`,
      {},
      tokens,
    );
    const states = user.images.nodes.map(({ approval }: { approval: { state: string } }) => approval.state[0]).sort();
    return `${states.join('')} ${user.images.totalCount}, ${user.biography?.text} of ${user.biographies.totalCount}`;
  };

  test('everybody sees what is approved; the owner and who confirms see all', async () => {
    const owner = await app.person();
    for (const state of ['PENDING', 'APPROVED', 'DECLINED']) await app.image({ state, required: 1, by: [] }, owner.id);
    for (const [index, text] of ['old', 'new', 'newest, pending'].entries()) {
      await app.sql.rows(`insert into biography (id, user_id, text, approval_state) values ($1, $2, $3, $4)`, [
        newId('biography'),
        owner.id,
        text,
        index < 2 ? 'APPROVED' : 'PENDING',
      ]);
    }
    const callers = ['player', 'creator', 'platform for the player', 'owner', 'confirmer', 'admin', 'super admin', 'platform'];
    const some = 'A 1, new of 2';
    const all = 'ADP 3, new of 3';
    expect(await Promise.all(callers.map((caller) => seen(caller === 'owner' ? owner : app.tokensOf(caller), owner.id)))).toEqual(
      [some, some, some, all, all, all, all, all],
    );
  });

  test('an image of a pending sponsor is seen by the sponsor’s maker only', async () => {
    const { createSponsor } = await app.graphql(
      'mutation { createSponsor(input: { color: "red" }) { images { nodes { id } } } }',
      {},
      app.tokensOf('creator'),
    );
    const [{ id }] = createSponsor.images.nodes;
    const found = await Promise.all(
      ['creator', 'player', 'platform'].map((caller) =>
        app.graphql(`{ sponsorImage(id: "${id}") { id } }`, {}, app.tokensOf(caller)),
      ),
    );
    expect(found.map(({ sponsorImage }) => sponsorImage?.id)).toEqual([id, undefined, id]);
  });

  test('who asks for comments across a relation finds those that they see', async () => {
    const author = await app.person();
    const id = await app.image({ state: 'PENDING', required: 1, by: [] }, author.id);
    await app.sql.rows('insert into approval_comment (id, item_id, content, author_id) values ($1, $2, $3, $4)', [
      newId('comment'),
      id,
      'Too dark.',
      author.id,
    ]);
    const commented = async (tokens: Tokens) => {
      const filter = `{ id: { eq: "${author.id}" }, approvalComments: { some: { content: { eq: "Too dark." } } } }`;
      return (await app.graphql(`{ users(filter: ${filter}) { totalCount } }`, {}, tokens)).users.totalCount;
    };
    expect(await Promise.all([commented(author), commented(app.tokensOf('player')), commented(app.tokensOf('admin'))])).toEqual([
      1, 0, 1,
    ]);
  });
});

describe('what awaits approval', () => {
  test.for(['sponsors', 'sponsorImages', 'userImages', 'biographies'])('%s are filtered by state', async (list) => {
    const answer = await app.graphql(
      `{ ${list}(first: 100, filter: { approvalState: { eq: PENDING } }) { totalCount nodes { approval { state } } } }`,
    );
    const { totalCount, nodes } = answer[list];
    const states = [...new Set(nodes.map(({ approval }: { approval: { state: string } }) => approval.state))];
    expect([totalCount, states]).toEqual([nodes.length, nodes.length ? ['PENDING'] : []]);
  });

  test('approvals and comments of many items take a constant number of statements', async () => {
    const owner = newId('owner');
    const made = async (count: number) => {
      for (let index = 0; index < count; index++)
        await app.image({ state: 'PENDING', required: 2, by: [app.idOf('confirmer')] }, owner);
      const before = app.statements();
      await app.graphql(
        `{ userImages(first: 100, filter: { userId: { eq: "${owner}" } }) { totalCount nodes { user { firstName }
           approval { given approvals { totalCount nodes { approvedBy { firstName } } } comments { totalCount nodes { author { id } } } } } } }`,
      );
      return app.statements() - before;
    };
    const few = await made(1);
    expect(await made(8)).toBe(few);
  });

  test('an item tells its approvals and its comments', async () => {
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
  const create = (userId: string, tokens: Tokens) =>
    app.graphql(
      `mutation { createUserImage(userId: "${userId}", input: { type: ACTION }) { userId type approval { state required } } }`,
      {},
      tokens,
    );

  test('are added by the user or a platform, and start pending', async () => {
    const added = { userId: app.idOf('player'), type: 'ACTION', approval: { state: 'PENDING', required: 1 } };
    const answers = await Promise.all(
      [app.tokensOf('player'), app.platform, app.tokensOf('creator')].map((tokens) => create(app.idOf('player'), tokens)),
    );
    expect(answers.map((answer) => answer.createUserImage ?? code(answer))).toEqual([added, added, 'FORBIDDEN']);
  });

  test('an image needs a type', async () =>
    expect(await app.graphql('mutation { createUserImage(userId: "x", input: {}) { id } }')).toEqual({
      errors: ['BAD_INPUT: input.type: expected a type of image'],
    }));

  test('are deleted by their user, not through another one', async () => {
    const id = await app.image(pending());
    const deleted = (userId: string, tokens: Tokens) =>
      app.graphql(`mutation { deleteUserImage(userId: "${userId}", id: "${id}") { id } }`, {}, tokens);
    const answers = [
      await deleted(app.idOf('creator'), app.tokensOf('creator')),
      await deleted(app.idOf('player'), app.tokensOf('creator')),
      await deleted(app.idOf('player'), app.tokensOf('player')),
    ];
    expect(answers.map((answer) => (answer.errors ? code(answer) : answer.deleteUserImage))).toEqual([
      'NOT_FOUND',
      'FORBIDDEN',
      { id },
    ]);
  });

  test('are deleted once, also at the same moment', async () => {
    const id = await app.image(pending());
    const [user, tokens] = [app.idOf('player'), app.tokensOf('player')];
    const answers = await Promise.all(
      [1, 2, 3].map(() => app.graphql(`mutation { deleteUserImage(userId: "${user}", id: "${id}") { id } }`, {}, tokens)),
    );
    expect(answers.map(({ errors }) => errors?.[0] ?? 'deleted').toSorted()).toEqual([
      `NOT_FOUND: no userImage of that user with the id ${id}`,
      `NOT_FOUND: no userImage of that user with the id ${id}`,
      'deleted',
    ]);
  });
});

describe('a comment', () => {
  const change = (id: string, tokens: Tokens) =>
    app.graphql(`mutation { updateApprovalComment(id: "${id}", content: "Changed.") { content modifiedAt } }`, {}, tokens);

  test('is changed by its author and by who confirms content', async () => {
    const { createApprovalComment } = await app.graphql(
      'mutation { createApprovalComment(itemId: "i", content: "First.") { id modifiedAt } }',
      {},
      app.tokensOf('player'),
    );
    const answers = await Promise.all(
      ['player', 'confirmer', 'platform', 'creator'].map((caller) => change(createApprovalComment.id, app.tokensOf(caller))),
    );
    const changed = { content: 'Changed.', modifiedAt: expect.any(String) };
    expect([createApprovalComment.modifiedAt, ...answers.map((answer) => answer.updateApprovalComment ?? code(answer))]).toEqual([
      null,
      changed,
      changed,
      changed,
      'FORBIDDEN',
    ]);
  });

  test('is deleted once, also at the same moment', async () => {
    const { createApprovalComment } = await app.graphql(
      'mutation { createApprovalComment(itemId: "i", content: "First.") { id } }',
    );
    const { id } = createApprovalComment;
    const drop = () => app.graphql(`mutation { deleteApprovalComment(id: "${id}", itemId: "i") { content } }`);
    expect((await Promise.all([drop(), drop()])).map(({ errors }) => errors?.[0] ?? 'deleted').toSorted()).toEqual([
      `NOT_FOUND: no approvalComment with the id ${id}`,
      'deleted',
    ]);
  });

  test('without text is none', async () =>
    expect(await app.graphql('mutation { createApprovalComment(itemId: "i", content: "") { id } }')).toEqual({
      errors: ['BAD_INPUT: content: expected some text'],
    }));
});
