import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startApp, type TestApp, type Tokens } from '../support/app.js';

let app: TestApp;
const people: Record<string, Tokens & Partial<Person>> = {};
beforeAll(async () => {
  app = await startApp();
  people['super admin'] = await app.person({ isSuperAdmin: true });
  people.admin = await app.person({ roles: ['ADMIN'] });
  people.confirmer = await app.person({ roles: ['CONTENT_CONFIRMER'], firstName: 'Cara' });
  people.creator = await app.person({ roles: ['CONTENT_CREATOR'] });
  people.player = await app.person({ firstName: 'Pia' });
  people.platform = app.platform;
  people['platform for the confirmer'] = { ...app.platform, user: people.confirmer.user };
  people['platform for the player'] = { ...app.platform, user: people.player.user };
});
afterAll(() => app.close());

const tokensOf = (name: string): Tokens => people[name] ?? {};
const idOf = (name: string): string => people[name]?.id ?? '';
const code = ({ errors }: { errors: string[] }) => errors[0]?.split(':')[0];
let ids = 0;
const newId = (kind: string) => `${kind}-${++ids}`;

interface Start {
  state: string;
  required: number;
  by: readonly (string | null)[];
}

/** An image of a user that stands where a test starts; approvals by null are those of the platform. */
async function image({ state, required, by }: Start, userId = idOf('player')): Promise<string> {
  const id = newId('image');
  await app.sql.rows(
    `insert into user_image (id, user_id, type, approval_state, approval_required, approval_given) values ($1, $2, 'PROFILE', $3, $4, $5)`,
    [id, userId, state, required, by.length],
  );
  for (const user of by) {
    await app.sql.rows(
      `insert into approval (id, item_type, item_id, approved_by_id, approved_by_platform_id) values ($1, 'USER_IMAGE', $2, $3, $4)`,
      [newId('approval'), id, user, user === null ? 'test-platform' : null],
    );
  }
  return id;
}

const pending = (required = 1): Start => ({ state: 'PENDING', required, by: [] });
const status = 'state required given declineReason approvals(filter: { canceledAt: { isNull: true } }) { totalCount }';

async function run(operation: string, id: string, tokens: Tokens, type = 'USER_IMAGE'): Promise<string> {
  const reason = operation === 'declineItem' ? ', reason: "Blurred."' : '';
  const answer = await app.graphql(
    `mutation { item: ${operation}(type: ${type}, id: "${id}"${reason}) { ${status} } }`,
    {},
    tokens,
  );
  if (answer.errors) return code(answer) ?? '';
  const { state, given, required, approvals } = answer.item;
  return `${state} ${given}/${required}${approvals.totalCount === given ? '' : `, but ${approvals.totalCount} approvals`}`;
}

describe('the approval of an item', () => {
  const another = 'another';
  const me = 'me';
  const table: [
    start: string,
    required: number,
    by: string[],
    approve: string,
    unapproveOwn: string,
    unapproveAll: string,
    decline: string,
  ][] = [
    ['PENDING', 1, [], 'APPROVED 1/1', 'PENDING 0/1', 'PENDING 0/1', 'DECLINED 0/1'],
    ['PENDING', 2, [], 'PENDING 1/2', 'PENDING 0/2', 'PENDING 0/2', 'DECLINED 0/2'],
    ['PENDING', 2, [another], 'APPROVED 2/2', 'PENDING 1/2', 'PENDING 0/2', 'DECLINED 1/2'],
    ['PENDING', 2, [me], 'PENDING 1/2', 'PENDING 0/2', 'PENDING 0/2', 'DECLINED 1/2'],
    ['APPROVED', 0, [], 'APPROVED 0/0', 'PENDING 0/1', 'PENDING 0/1', 'CONFLICT'],
    ['APPROVED', 1, [another], 'APPROVED 1/1', 'APPROVED 1/1', 'PENDING 0/1', 'CONFLICT'],
    ['APPROVED', 1, [me], 'APPROVED 1/1', 'PENDING 0/1', 'PENDING 0/1', 'CONFLICT'],
    ['APPROVED', 2, [me, another], 'APPROVED 2/2', 'PENDING 1/2', 'PENDING 0/2', 'CONFLICT'],
    ['DECLINED', 1, [], 'CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
  ];
  const callers = ['super admin', 'admin', 'confirmer', 'platform', 'platform for the confirmer'];
  const steps = table.flatMap(([state, required, by, approve, own, all, decline]) => {
    const title = `${state}, ${by.length} of ${required}${by.length ? ` by ${by.join(' and ')}` : ''}`;
    const start = { state, required, by };
    return [
      { title: `${title}: approve`, start, operation: 'approveItem', own: approve, all: approve },
      { title: `${title}: unapprove`, start, operation: 'unapproveItem', own, all },
      { title: `${title}: decline`, start, operation: 'declineItem', own: decline, all: decline },
    ];
  });

  test.for(steps)('$title', async ({ start, operation, own, all }) => {
    const done = callers.map(async (caller) => {
      const actor = idOf(caller.replace('platform for the ', '')) || null;
      const by = start.by.map((who) => (who === me ? actor : 'somebody'));
      return `${caller}: ${await run(operation, await image({ ...start, by }), tokensOf(caller))}`;
    });
    expect(await Promise.all(done)).toEqual(callers.map((caller) => `${caller}: ${caller === 'super admin' ? all : own}`));
  });

  test.for(['player', 'creator', 'platform for the player'])('%s may do nothing of it', async (caller) => {
    const id = await image(pending());
    const done = await Promise.all(
      ['approveItem', 'unapproveItem', 'declineItem'].map((operation) => run(operation, id, tokensOf(caller))),
    );
    expect(done).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });

  test('no item, no step', async () => {
    const done = await Promise.all(
      ['approveItem', 'unapproveItem', 'declineItem'].map((operation) => run(operation, 'nobody', app.platform)),
    );
    expect(done).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });

  test('only images and biographies of users can be declined', async () => {
    const done = await Promise.all(
      ['SPONSOR', 'SPONSOR_IMAGE'].map((type) => run('declineItem', newId(type), app.platform, type)),
    );
    expect(done).toEqual(['BAD_INPUT', 'BAD_INPUT']);
  });

  test('a declined item keeps the reason and the moment, for its owner too', async () => {
    const id = await image(pending());
    await run('declineItem', id, app.platform);
    const { userImage } = await app.graphql(
      `{ userImage(id: "${id}") { approval { state declinedAt declineReason } } }`,
      {},
      tokensOf('player'),
    );
    expect(userImage.approval).toEqual({ state: 'DECLINED', declinedAt: expect.stringMatching(/Z$/), declineReason: 'Blurred.' });
  });

  test('who canceled an approval is kept', async () => {
    const id = await image({ state: 'APPROVED', required: 1, by: [idOf('confirmer')] });
    await run('unapproveItem', id, tokensOf('super admin'));
    const { approvals } = await app.graphql(
      `{ approvals(filter: { itemId: { eq: "${id}" } }) { nodes { itemType approvedBy { id } canceledBy { id } canceledAt } } }`,
    );
    expect(approvals.nodes).toEqual([
      {
        itemType: 'USER_IMAGE',
        approvedBy: { id: idOf('confirmer') },
        canceledBy: { id: idOf('super admin') },
        canceledAt: expect.any(String),
      },
    ]);
  });
});

describe('approvals at once', () => {
  const counted = (id: string) =>
    app.sql.row(
      `select approval_state as state, approval_given as given,
         (select count(*)::int from approval a where a.item_id = i.id and a.canceled_at is null) as rows from user_image i where id = $1`,
      [id],
    );

  test('twenty by the same caller count once', async () => {
    const id = await image(pending(2));
    await Promise.all(Array.from({ length: 20 }, () => run('approveItem', id, tokensOf('confirmer'))));
    expect(await counted(id)).toEqual({ state: 'PENDING', given: 1, rows: 1 });
  });

  test('two callers reach two exactly once', async () => {
    const id = await image(pending(2));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => run('approveItem', id, index % 2 ? tokensOf('confirmer') : app.platform)),
    );
    expect(await counted(id)).toEqual({ state: 'APPROVED', given: 2, rows: 2 });
  });

  test('of four callers only as many count as are needed', async () => {
    const id = await image(pending(2));
    await Promise.all(
      ['super admin', 'admin', 'confirmer', 'platform'].map((caller) => run('approveItem', id, tokensOf(caller))),
    );
    expect(await counted(id)).toEqual({ state: 'APPROVED', given: 2, rows: 2 });
  });

  test('the count equals the rows, whatever happens at once', async () => {
    const id = await image(pending(2));
    const callers = ['super admin', 'admin', 'confirmer', 'platform'];
    await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        run(index % 3 ? 'approveItem' : 'unapproveItem', id, tokensOf(callers[index % 4] ?? '')),
      ),
    );
    const item = await counted(id);
    expect(item?.given).toBe(item?.rows);
  });
});

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

  test('by a super admin', async () => expect(await by(tokensOf('super admin'))).toEqual(made(0)));
  test('by a platform', async () => expect(await by(app.platform)).toEqual(made(0)));
  test('by a platform for somebody unknown', async () => expect(await by(app.platform, 'nobody')).toEqual(made(0)));

  test('is that of its maker, unless another user is named', async () => {
    const owners = await Promise.all(
      [undefined, 'somebody'].map((userId) =>
        app.graphql(
          'mutation ($input: SponsorSubmission!) { createSponsor(input: $input) { userId createdBy { id } } }',
          { input: { userId } },
          tokensOf('creator'),
        ),
      ),
    );
    const createdBy = { id: idOf('creator') };
    expect(owners.map(({ createSponsor }) => createSponsor)).toEqual([
      { userId: idOf('creator'), createdBy },
      { userId: 'somebody', createdBy },
    ]);
  });

  test('is approved step by step, with its images apart', async () => {
    const { createSponsor } = await app.graphql(
      'mutation { createSponsor(input: { size: "small" }) { id images { nodes { id } } } }',
      {},
      tokensOf('creator'),
    );
    const [picture] = createSponsor.images.nodes;
    expect([
      await run('approveItem', createSponsor.id, tokensOf('confirmer'), 'SPONSOR'),
      await run('approveItem', createSponsor.id, app.platform, 'SPONSOR'),
      await run('approveItem', picture.id, app.platform, 'SPONSOR_IMAGE'),
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
      tokensOf('creator'),
    );
    await run('approveItem', `${id}-image`, app.platform, 'SPONSOR_IMAGE');
    await app.graphql(`mutation { createApprovalComment(itemId: "${id}-image", content: "Nice.") { id } }`);
    await app.graphql(`mutation { deleteSponsor(id: "${id}") { id } }`);
    const left = await app.graphql(
      `{ sponsorImage(id: "${id}-image") { id } approvals(filter: { itemId: { eq: "${id}-image" } }) { totalCount }
         approvalComments(filter: { itemId: { eq: "${id}-image" } }) { totalCount } }`,
    );
    expect(left).toEqual({ sponsorImage: null, approvals: { totalCount: 0 }, approvalComments: { totalCount: 0 } });
  });
});

describe('who sees what', () => {
  const seen = async (caller: string, userId: string) => {
    const { user } = await app.graphql(
      `{ user(id: "${userId}") { images(orderBy: [{ field: ID }]) { totalCount nodes { approval { state } } } biography { text } biographies { totalCount } } }`,
      {},
      tokensOf(caller),
    );
    const states = user.images.nodes.map(({ approval }: { approval: { state: string } }) => approval.state[0]).sort();
    return `${states.join('')} ${user.images.totalCount}, ${user.biography?.text} of ${user.biographies.totalCount}`;
  };

  test('everybody sees what is approved; the owner and who confirms see all', async () => {
    const owner = await app.person();
    people.owner = owner;
    for (const state of ['PENDING', 'APPROVED', 'DECLINED']) await image({ state, required: 1, by: [] }, owner.id);
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
    expect(await Promise.all(callers.map((caller) => seen(caller, owner.id)))).toEqual([
      some,
      some,
      some,
      all,
      all,
      all,
      all,
      all,
    ]);
  });

  test('an image of a pending sponsor is seen by the sponsor’s maker only', async () => {
    const { createSponsor } = await app.graphql(
      'mutation { createSponsor(input: { color: "red" }) { images { nodes { id } } } }',
      {},
      tokensOf('creator'),
    );
    const [{ id }] = createSponsor.images.nodes;
    const found = await Promise.all(
      ['creator', 'player', 'platform'].map((caller) =>
        app.graphql(`{ sponsorImage(id: "${id}") { id } }`, {}, tokensOf(caller)),
      ),
    );
    expect(found.map(({ sponsorImage }) => sponsorImage?.id)).toEqual([id, undefined, id]);
  });
});

describe('what awaits approval', () => {
  test.for(['sponsors', 'sponsorImages', 'userImages', 'biographies'])('%s are filtered by state', async (list) => {
    const answer = await app.graphql(
      `{ ${list}(first: 100, filter: { state: PENDING }) { totalCount nodes { approval { state } } } }`,
    );
    const { totalCount, nodes } = answer[list];
    const states = [...new Set(nodes.map(({ approval }: { approval: { state: string } }) => approval.state))];
    expect([totalCount, states]).toEqual([nodes.length, nodes.length ? ['PENDING'] : []]);
  });

  test('approvals and comments of many items take a constant number of statements', async () => {
    const owner = newId('owner');
    const made = async (count: number) => {
      for (let index = 0; index < count; index++) await image({ state: 'PENDING', required: 2, by: [idOf('confirmer')] }, owner);
      const before = app.sql.source.executed;
      await app.graphql(
        `{ userImages(first: 100, filter: { userId: { eq: "${owner}" } }) { totalCount nodes { user { firstName }
           approval { given approvals { totalCount nodes { approvedBy { firstName } } } comments { totalCount nodes { author { id } } } } } } }`,
      );
      return app.sql.source.executed - before;
    };
    const few = await made(1);
    expect(await made(8)).toBe(few);
  });

  test('an item tells its approvals and its comments', async () => {
    const id = await image(pending(2));
    await run('approveItem', id, tokensOf('confirmer'));
    await run('approveItem', id, app.platform);
    await app.graphql(`mutation { createApprovalComment(itemId: "${id}", content: "Sharp.") { id } }`, {}, tokensOf('player'));
    const { userImage } = await app.graphql(
      `{ userImage(id: "${id}") { approval { state approvals(orderBy: [{ field: APPROVED_AT }]) { nodes { approvedBy { firstName } approvedByPlatform { name } } }
         comments { totalCount nodes { content author { firstName } } } } } }`,
    );
    expect(userImage.approval).toEqual({
      state: 'APPROVED',
      approvals: {
        nodes: [
          { approvedBy: { firstName: 'Cara' }, approvedByPlatform: null },
          { approvedBy: null, approvedByPlatform: { name: 'Test Platform' } },
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
    const added = { userId: idOf('player'), type: 'ACTION', approval: { state: 'PENDING', required: 1 } };
    const answers = await Promise.all(
      [tokensOf('player'), app.platform, tokensOf('creator')].map((tokens) => create(idOf('player'), tokens)),
    );
    expect(answers.map((answer) => answer.createUserImage ?? code(answer))).toEqual([added, added, 'FORBIDDEN']);
  });

  test('an image needs a type', async () =>
    expect(await app.graphql('mutation { createUserImage(userId: "x", input: {}) { id } }')).toEqual({
      errors: ['BAD_INPUT: input.type: expected a type of image'],
    }));

  test('are deleted by their user, not through another one', async () => {
    const id = await image(pending());
    const deleted = (userId: string, tokens: Tokens) =>
      app.graphql(`mutation { deleteUserImage(userId: "${userId}", id: "${id}") { id } }`, {}, tokens);
    const answers = [
      await deleted(idOf('creator'), tokensOf('creator')),
      await deleted(idOf('player'), tokensOf('creator')),
      await deleted(idOf('player'), tokensOf('player')),
    ];
    expect(answers.map((answer) => (answer.errors ? code(answer) : answer.deleteUserImage))).toEqual([
      'NOT_FOUND',
      'FORBIDDEN',
      { id },
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
      tokensOf('player'),
    );
    const answers = await Promise.all(
      ['player', 'confirmer', 'platform', 'creator'].map((caller) => change(createApprovalComment.id, tokensOf(caller))),
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

  test('without text is none', async () =>
    expect(await app.graphql('mutation { createApprovalComment(itemId: "i", content: "") { id } }')).toEqual({
      errors: ['BAD_INPUT: content: expected some text'],
    }));
});
