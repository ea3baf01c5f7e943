import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MediaApp, newId, pending, startMediaApp } from './media-seeds.js';

let app: MediaApp;
beforeAll(async () => {
  app = await startMediaApp();
});
afterAll(() => app.close());

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
      const actor = app.idOf(caller) || null;
      const by = start.by.map((who) => (who === me ? actor : 'somebody'));
      return `${caller}: ${await app.step(operation, await app.image({ ...start, by }), app.tokensOf(caller))}`;
    });
    expect(await Promise.all(done)).toEqual(callers.map((caller) => `${caller}: ${caller === 'super admin' ? all : own}`));
  });

  test.for(['player', 'creator', 'platform for the player'])('%s may do nothing of it', async (caller) => {
    const id = await app.image(pending());
    const done = await Promise.all(
      ['approveItem', 'unapproveItem', 'declineItem'].map((operation) => app.step(operation, id, app.tokensOf(caller))),
    );
    expect(done).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN']);
  });

  test('no item, no step', async () => {
    const done = await Promise.all(
      ['approveItem', 'unapproveItem', 'declineItem'].map((operation) => app.step(operation, 'nobody', app.platform)),
    );
    expect(done).toEqual(['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND']);
  });

  test('only images and biographies of users can be declined', async () => {
    const done = await Promise.all(
      ['SPONSOR', 'SPONSOR_IMAGE'].map((type) => app.step('declineItem', newId(type), app.platform, type)),
    );
    expect(done).toEqual(['BAD_INPUT', 'BAD_INPUT']);
  });

  test('a declined item keeps the reason and the moment, for its owner too', async () => {
    const id = await app.image(pending());
    await app.step('declineItem', id, app.platform);
    const { userImage } = await app.graphql(
      `{ userImage(id: "${id}") { approval { state declinedAt declineReason } } }`,
      {},
      app.tokensOf('player'),
    );
    expect(userImage.approval).toEqual({ state: 'DECLINED', declinedAt: expect.stringMatching(/Z$/), declineReason: 'Blurred.' });
  });

  test('its owner is told when it is approved or declined', async () => {
    const owner = await app.person();
    const [one, two, three] = [
      await app.image(pending(2), owner.id),
      await app.image(pending(), owner.id),
      await app.image(pending(), owner.id),
    ];
    for (const [operation, id] of [
      ['approveItem', one],
      ['approveItem', two],
      ['declineItem', three],
    ] as const) {
      await app.step(operation, id, app.platform);
    }
    const { notifications } = await app.graphql(
      '{ notifications(orderBy: [{ field: CREATED_AT }]) { nodes { event content subjectId } } }',
      {},
      owner,
    );
    expect(notifications.nodes).toEqual([
      { event: 'APPROVAL_GIVEN', content: 'Your image was approved.', subjectId: two },
      { event: 'APPROVAL_DECLINED', content: 'Your image was declined: Blurred.', subjectId: three },
    ]);
  });

  test('who canceled an approval is kept', async () => {
    const id = await app.image({ state: 'APPROVED', required: 1, by: [app.idOf('confirmer')] });
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

describe('approvals at once', () => {
  const counted = (id: string) =>
    app.sql.row(
      `select approval_state as state, approval_given as given,
         (select count(*)::int from approval a where a.item_id = i.id and a.canceled_at is null) as rows from user_image i where id = $1`,
      [id],
    );

  test('twenty by the same caller count once', async () => {
    const id = await app.image(pending(2));
    await Promise.all(Array.from({ length: 20 }, () => app.step('approveItem', id, app.tokensOf('confirmer'))));
    expect(await counted(id)).toEqual({ state: 'PENDING', given: 1, rows: 1 });
  });

  test('two callers reach two exactly once', async () => {
    const id = await app.image(pending(2));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => app.step('approveItem', id, index % 2 ? app.tokensOf('confirmer') : app.platform)),
    );
    expect(await counted(id)).toEqual({ state: 'APPROVED', given: 2, rows: 2 });
  });

  test('of four callers only as many count as are needed', async () => {
    const id = await app.image(pending(2));
    await Promise.all(
      ['super admin', 'admin', 'confirmer', 'platform'].map((caller) => app.step('approveItem', id, app.tokensOf(caller))),
    );
    expect(await counted(id)).toEqual({ state: 'APPROVED', given: 2, rows: 2 });
  });

  test('the count equals the rows, whatever happens at once', async () => {
    const id = await app.image(pending(2));
    const callers = ['super admin', 'admin', 'confirmer', 'platform'];
    await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        app.step(index % 3 ? 'approveItem' : 'unapproveItem', id, app.tokensOf(callers[index % 4] ?? '')),
      ),
    );
    const item = await counted(id);
    expect(item?.given).toBe(item?.rows);
  });
});
