import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Tokens } from '../../support/servers/app.js';
import { errorCodeOf, type MediaApp, newId, pending, startMediaApp } from './seeds.js';

let app: MediaApp;
beforeAll(async () => {
  app = await startMediaApp();
});
afterAll(() => app.close());

describe('item approval', () => {
  const otherUser = 'another user';
  const self = 'the caller';
  /**
   * Initial approvals of an item, and the result of each operation on the item. Admins and platforms remove all approvals. Other callers
   * remove only their own approvals.
   */
  const table: [
    state: string,
    required: number,
    by: string[],
    approve: string,
    unapproveOwn: string,
    unapproveAll: string,
    decline: string,
  ][] = [
    ['PENDING', 1, [], 'APPROVED 1/1', 'CONFLICT', 'CONFLICT', 'DECLINED 0/1'],
    ['PENDING', 2, [], 'PENDING 1/2', 'CONFLICT', 'CONFLICT', 'DECLINED 0/2'],
    ['PENDING', 2, [otherUser], 'APPROVED 2/2', 'CONFLICT', 'PENDING 0/2', 'DECLINED 1/2'],
    ['PENDING', 2, [self], 'PENDING 1/2', 'PENDING 0/2', 'PENDING 0/2', 'DECLINED 1/2'],
    ['APPROVED', 0, [], 'APPROVED 0/0', 'CONFLICT', 'PENDING 0/1', 'CONFLICT'],
    ['APPROVED', 1, [otherUser], 'APPROVED 1/1', 'CONFLICT', 'PENDING 0/1', 'CONFLICT'],
    ['APPROVED', 1, [self], 'APPROVED 1/1', 'PENDING 0/1', 'PENDING 0/1', 'CONFLICT'],
    ['APPROVED', 2, [self, otherUser], 'APPROVED 2/2', 'PENDING 1/2', 'PENDING 0/2', 'CONFLICT'],
    ['DECLINED', 1, [], 'CONFLICT', 'CONFLICT', 'CONFLICT', 'CONFLICT'],
  ];
  const removesAll = ['super admin', 'admin', 'platform'];
  const callers = [...removesAll, 'confirmer', 'platform for the confirmer'];
  const cases = table.flatMap(([state, required, by, approve, unapproveOwn, unapproveAll, decline]) => {
    const title = `${state}, ${by.length} of ${required}${by.length ? ` by ${by.join(' and ')}` : ''}`;
    const start = { state, required, by };
    return [
      { title: `${title}: approve`, start, operation: 'approveItem', expected: approve, expectedForAll: approve },
      {
        title: `${title}: unapprove`,
        start,
        operation: 'unapproveItem',
        expected: unapproveOwn,
        expectedForAll: unapproveAll,
      },
      { title: `${title}: decline`, start, operation: 'declineItem', expected: decline, expectedForAll: decline },
    ];
  });

  test.for(cases)('$title', async ({ start, operation, expected, expectedForAll }) => {
    const results = callers.map(async (caller) => {
      const callerId = app.idOf(caller) || null;
      const approvers = start.by.map((approver) => (approver === self ? callerId : 'somebody'));
      return `${caller}: ${await app.step(operation, await app.image({ ...start, approvers }), app.tokensOf(caller))}`;
    });
    expect(await Promise.all(results)).toEqual(
      callers.map((caller) => `${caller}: ${removesAll.includes(caller) ? expectedForAll : expected}`),
    );
  });

  const tryAllOperations = async (id: string, tokens: Tokens) => {
    const [approve, unapprove, decline] = await Promise.all(
      ['approveItem', 'unapproveItem', 'declineItem'].map((operation) => app.step(operation, id, tokens)),
    );
    return { approve, unapprove, decline };
  };

  test.for(['player', 'creator', 'platform for the player'])('is forbidden to the %s', async (caller) => {
    expect(await tryAllOperations(await app.image(pending()), app.tokensOf(caller))).toEqual({
      approve: 'FORBIDDEN',
      unapprove: 'FORBIDDEN',
      decline: 'FORBIDDEN',
    });
  });

  test('of an unknown item returns NOT_FOUND', async () => {
    expect(await tryAllOperations('nobody', app.platform)).toEqual({
      approve: 'NOT_FOUND',
      unapprove: 'NOT_FOUND',
      decline: 'NOT_FOUND',
    });
  });

  test.for(['SPONSOR', 'SPONSOR_IMAGE'])('cannot be declined for the type %s', async (type) => {
    expect(await app.step('declineItem', newId(type), app.platform, type)).toBe('BAD_INPUT');
  });

  test('shows the reason and the time of a decline to the owner', async () => {
    const id = await app.image(pending());
    await app.step('declineItem', id, app.platform);
    const { userImage } = await app.graphql(
      `{ userImage(id: "${id}") { approval { state declinedAt declineReason } } }`,
      {},
      app.tokensOf('player'),
    );
    expect(userImage.approval).toEqual({ state: 'DECLINED', declinedAt: expect.stringMatching(/Z$/), declineReason: 'Blurred.' });
  });

  test('keeps declines with their reason and caller as comments that only confirmers see, and that nobody can change', async () => {
    const id = await app.image(pending());
    await app.step('declineItem', id, app.tokensOf('confirmer'));
    await app.step('resubmitItem', id, app.tokensOf('player'));
    await app.step('declineItem', id, app.platform);
    await app.step('resubmitItem', id, app.tokensOf('player'));
    await app.step('approveItem', id, app.platform);
    const commentsFor = async (tokens: Tokens) => {
      const selection = 'nodes { id isDecline content author { firstName } platform { id } viewerCan { update delete } }';
      const query = `{ approvalComments(filter: { itemId: { eq: "${id}" } }, orderBy: [{ field: ID }]) { ${selection} } }`;
      return (await app.graphql(query, {}, tokens)).approvalComments.nodes;
    };
    const comments = await commentsFor(app.platform);
    const decline = { id: expect.any(String), isDecline: true, content: 'Blurred.', viewerCan: { update: false, delete: false } };
    const send = async (mutation: string) => errorCodeOf(await app.graphql(`mutation { ${mutation} { id } }`, {}, app.platform));
    expect({
      comments,
      forOwner: await commentsFor(app.tokensOf('player')),
      update: await send(`updateApprovalComment(id: "${comments[0].id}", content: "Sharp.")`),
      delete: await send(`deleteApprovalComment(id: "${comments[0].id}")`),
      v1: (await app.rest('GET', `/v1/admin/system-approvals/${id}/comments`, app.platform)).body.total_records,
    }).toEqual({
      comments: [
        { ...decline, author: { firstName: 'Cara' }, platform: null },
        { ...decline, author: null, platform: { id: 'test-platform' } },
      ],
      forOwner: [],
      update: 'FORBIDDEN',
      delete: 'FORBIDDEN',
      v1: '0',
    });
  });

  test('starts again when the owner submits a declined item again', async () => {
    const id = await app.image({ state: 'PENDING', required: 2, approvers: ['somebody'] });
    await app.step('declineItem', id, app.platform);
    const resubmitted = await app.step('resubmitItem', id, app.tokensOf('player'));
    const { userImage } = await app.graphql(
      `{ userImage(id: "${id}") { approval { state given declinedAt declineReason } } }`,
      {},
      app.tokensOf('player'),
    );
    expect({
      resubmitted,
      approval: userImage.approval,
      again: await app.step('resubmitItem', id, app.tokensOf('player')),
      approved: await app.step('approveItem', id, app.platform),
    }).toEqual({
      resubmitted: 'PENDING 0/2',
      approval: { state: 'PENDING', given: 0, declinedAt: null, declineReason: null },
      again: 'CONFLICT',
      approved: 'PENDING 1/2',
    });
  });

  test('starts again only for the owner, admins and platforms', async () => {
    const resubmit = async (caller: string) => {
      const id = await app.image({ state: 'DECLINED', required: 1, approvers: [] });
      return app.step('resubmitItem', id, app.tokensOf(caller));
    };
    expect({
      owner: await resubmit('player'),
      admin: await resubmit('admin'),
      platform: await resubmit('platform'),
      confirmer: await resubmit('confirmer'),
      other: await resubmit('creator'),
      sponsor: await app.step('resubmitItem', (await app.sponsor(app.idOf('player'))).id, app.tokensOf('admin'), 'SPONSOR'),
    }).toEqual({
      owner: 'PENDING 0/1',
      admin: 'PENDING 0/1',
      platform: 'PENDING 0/1',
      confirmer: 'FORBIDDEN',
      other: 'NOT_FOUND',
      sponsor: 'CONFLICT',
    });
  });

  test('notifies the owner of the last approval or a decline, but not of earlier approvals', async () => {
    const owner = await app.person();
    const halfApproved = await app.image(pending(2), owner.id);
    const approved = await app.image(pending(), owner.id);
    const declined = await app.image(pending(), owner.id);
    await app.step('approveItem', halfApproved, app.platform);
    await app.step('approveItem', approved, app.platform);
    await app.step('declineItem', declined, app.platform);
    const { notifications } = await app.graphql(
      '{ notifications(orderBy: [{ field: CREATED_AT }]) { nodes { event content subjectId } } }',
      {},
      owner,
    );
    expect(notifications.nodes).toEqual([
      { event: 'APPROVAL_GIVEN', content: 'Your image was approved.', subjectId: approved },
      { event: 'APPROVAL_DECLINED', content: 'Your image was declined: Blurred.', subjectId: declined },
    ]);
  });

  test('is canceled alone with `keepsOthers`, even by an admin, who otherwise cancels all approvals', async () => {
    const id = await app.image({ state: 'APPROVED', required: 2, approvers: [app.idOf('confirmer'), app.idOf('admin')] });
    const cancelOwn = () =>
      app.graphql(
        `mutation { unapproveItem(type: USER_IMAGE, id: "${id}", keepsOthers: true) { state given } }`,
        {},
        app.tokensOf('admin'),
      );
    expect({ first: await cancelOwn(), second: await cancelOwn() }).toEqual({
      first: { unapproveItem: { state: 'PENDING', given: 1 } },
      second: { errors: ['CONFLICT: the caller has not approved the item'] },
    });
  });

  test('shows the user who canceled it', async () => {
    const id = await app.image({ state: 'APPROVED', required: 1, approvers: [app.idOf('confirmer')] });
    await app.step('unapproveItem', id, app.tokensOf('super admin'));
    const { approvals } = await app.graphql(
      `{ approvals(filter: { itemId: { eq: "${id}" } }) { nodes { itemType approvedBy { id } canceledBy { id } canceledAt } } }`,
    );
    expect(approvals.nodes).toEqual([
      {
        itemType: 'USER_IMAGE',
        approvedBy: { id: app.idOf('confirmer') },
        canceledBy: { id: app.idOf('super admin') },
        canceledAt: expect.any(String),
      },
    ]);
  });
});

describe('concurrent approvals', () => {
  const approvalOf = (id: string) =>
    app.sql.row(
      `select approval_state as state, approval_given as given,
         (select count(*)::int from approval a where a.item_id = i.id and a.canceled_at is null) as rows from user_image i where id = $1`,
      [id],
    );

  test('twenty approvals by one caller count once', async () => {
    const id = await app.image(pending(2));
    await Promise.all(Array.from({ length: 20 }, () => app.step('approveItem', id, app.tokensOf('confirmer'))));
    expect(await approvalOf(id)).toEqual({ state: 'PENDING', given: 1, rows: 1 });
  });

  test('many approvals by two callers count as two', async () => {
    const id = await app.image(pending(2));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => app.step('approveItem', id, index % 2 ? app.tokensOf('confirmer') : app.platform)),
    );
    expect(await approvalOf(id)).toEqual({ state: 'APPROVED', given: 2, rows: 2 });
  });

  test('approvals beyond the required number do not count', async () => {
    const id = await app.image(pending(2));
    await Promise.all(
      ['super admin', 'admin', 'confirmer', 'platform'].map((caller) => app.step('approveItem', id, app.tokensOf(caller))),
    );
    expect(await approvalOf(id)).toEqual({ state: 'APPROVED', given: 2, rows: 2 });
  });

  test('the count equals the rows after concurrent approvals and removals', async () => {
    const id = await app.image(pending(2));
    const callers = ['super admin', 'admin', 'confirmer', 'platform'];
    await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        app.step(index % 3 ? 'approveItem' : 'unapproveItem', id, app.tokensOf(callers[index % 4] ?? '')),
      ),
    );
    const approval = await approvalOf(id);
    expect(approval?.given).toBe(approval?.rows);
  });
});
