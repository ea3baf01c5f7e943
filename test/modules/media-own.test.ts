import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../support/app.js';
import { type MediaApp, newId, pending, type SponsorMade, startMediaApp } from './media-seeds.js';

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

describe("nobody's own approval counts", () => {
  test.for<[string, () => Promise<string>, string]>([
    ['a sponsor', async () => (await pendingSponsor(both.id, null)).id, 'SPONSOR'],
    ['a sponsor that names nobody, for its maker', async () => (await pendingSponsor('', both.id)).id, 'SPONSOR'],
    ['an image of a sponsor', async () => (await pendingSponsor(both.id, null)).image, 'SPONSOR_IMAGE'],
    ['an image', () => app.image(pending(), both.id), 'USER_IMAGE'],
    ['a biography', () => biographyOf(both.id), 'BIOGRAPHY'],
  ])('for %s', async ([, make, type]) => {
    const id = await make();
    const steps = [{ ...app.platform, user: both.user }, { user: both.user }, app.tokensOf('confirmer')].map(
      (tokens) => () => app.step('approveItem', id, tokens, type),
    );
    const done = [];
    for (const step of steps) done.push(await step());
    expect(done).toEqual(['FORBIDDEN', 'FORBIDDEN', expect.stringMatching(/^(APPROVED 1\/1|PENDING 1\/2)$/)]);
  });

  test('but that of admins and super admins, and of a platform alone', async () => {
    const superAdmin = app.idOf('super admin');
    expect([
      await app.step('approveItem', await app.image(pending(), boss.id), boss),
      await app.step('approveItem', await app.image(pending(), superAdmin), app.tokensOf('super admin')),
      await app.step('approveItem', await app.image(pending(), both.id), app.platform),
    ]).toEqual(['APPROVED 1/1', 'APPROVED 1/1', 'APPROVED 1/1']);
  });

  test('its maker may approve what is somebody else’s', async () => {
    const { id } = await pendingSponsor(editor.id, both.id);
    expect(await app.step('approveItem', id, both, 'SPONSOR')).toBe('PENDING 1/2');
  });

  /** A sponsor and its image, neither of them approved by anybody. */
  async function pendingSponsor(userId: string, maker: string | null): Promise<SponsorMade> {
    const made = await app.sponsor(userId, maker);
    for (const table of ['sponsor', 'sponsor_image'])
      await app.sql.rows(`update ${table} set approval_state = 'PENDING', approval_given = 0 where id = any($1)`, [
        [made.id, made.image],
      ]);
    await app.sql.rows('delete from approval where item_id = any($1)', [[made.id, made.image]]);
    return made;
  }

  async function biographyOf(userId: string): Promise<string> {
    const id = newId('biography');
    await app.sql.rows('insert into biography (id, user_id) values ($1, $2)', [id, userId]);
    return id;
  }
});
