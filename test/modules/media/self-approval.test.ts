import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person, Tokens } from '../../support/servers/app.js';
import { type CreatedSponsor, type MediaApp, newId, pending, startMediaApp } from './seeds.js';

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

describe('owners cannot approve their own items', () => {
  test.for<[string, () => Promise<string>, string]>([
    ['a sponsor', async () => (await pendingSponsor(creatorAndConfirmer.id, null)).id, 'SPONSOR'],
    [
      'a sponsor without an owner, which counts as owned by its creator',
      async () => (await pendingSponsor('', creatorAndConfirmer.id)).id,
      'SPONSOR',
    ],
    ['an image of a sponsor', async () => (await pendingSponsor(creatorAndConfirmer.id, null)).image, 'SPONSOR_IMAGE'],
    ['an image', () => app.image(pending(), creatorAndConfirmer.id), 'USER_IMAGE'],
    ['a biography', () => biographyOf(creatorAndConfirmer.id), 'BIOGRAPHY'],
  ])('%s', async ([, make, type]) => {
    const id = await make();
    const approve = (tokens: Tokens) => app.step('approveItem', id, tokens, type);
    expect({
      ownerThroughPlatform: await approve({ ...app.platform, user: creatorAndConfirmer.user }),
      owner: await approve({ user: creatorAndConfirmer.user }),
      confirmer: await approve(app.tokensOf('confirmer')),
    }).toEqual({
      ownerThroughPlatform: 'FORBIDDEN',
      owner: 'FORBIDDEN',
      confirmer: expect.stringMatching(/^(APPROVED 1\/1|PENDING 1\/2)$/),
    });
  });

  test('except as an admin or super admin, or as a platform without a user', async () => {
    const superAdminId = app.idOf('super admin');
    expect({
      admin: await app.step('approveItem', await app.image(pending(), admin.id), admin),
      superAdmin: await app.step('approveItem', await app.image(pending(), superAdminId), app.tokensOf('super admin')),
      platform: await app.step('approveItem', await app.image(pending(), creatorAndConfirmer.id), app.platform),
    }).toEqual({ admin: 'APPROVED 1/1', superAdmin: 'APPROVED 1/1', platform: 'APPROVED 1/1' });
  });

  test('but the creator of a sponsor may approve it if another user owns it', async () => {
    const { id } = await pendingSponsor(editor.id, creatorAndConfirmer.id);
    expect(await app.step('approveItem', id, creatorAndConfirmer, 'SPONSOR')).toBe('PENDING 1/2');
  });

  /** Creates a sponsor and its image, both without approvals. */
  async function pendingSponsor(userId: string, createdById: string | null): Promise<CreatedSponsor> {
    const sponsor = await app.sponsor(userId, createdById);
    for (const table of ['sponsor', 'sponsor_image'])
      await app.sql.rows(`update ${table} set approval_state = 'PENDING', approval_given = 0 where id = any($1)`, [
        [sponsor.id, sponsor.image],
      ]);
    await app.sql.rows('delete from approval where item_id = any($1)', [[sponsor.id, sponsor.image]]);
    return sponsor;
  }

  async function biographyOf(userId: string): Promise<string> {
    const id = newId('biography');
    await app.sql.rows('insert into biography (id, user_id) values ($1, $2)', [id, userId]);
    return id;
  }
});

const createOwn = (mutation: string, input: string, tokens: Tokens) =>
  app.graphql(`mutation { ${mutation}(userId: "${app.idOf('player')}", input: { ${input} }) { id } }`, {}, tokens);

test('the ID of an item of another type is a conflict, so that nobody deletes the comments on that item', async () => {
  const { id, image } = await app.sponsor(editor.id);
  const answers: Record<string, string> = {};
  for (const [name, itemId] of Object.entries({ sponsor: id, sponsorImage: image, userImage: await app.image(pending()) })) {
    await app.graphql(`mutation { createApprovalComment(itemId: "${itemId}", content: "Nice.") { id } }`);
    const { errors = [] } = await createOwn('createBiography', `id: "${itemId}"`, app.platform);
    await app.graphql(`mutation { deleteBiography(userId: "${app.idOf('player')}", id: "${itemId}") { id } }`);
    const comments = await app.sql.rows('select id from approval_comment where item_id = $1', [itemId]);
    answers[name] = `${errors[0]}; ${comments.length} comment`;
  }
  const refused = 'CONFLICT: input.id: another item has the same id; 1 comment';
  expect(answers).toEqual({ sponsor: refused, sponsorImage: refused, userImage: refused });
});

test('users cannot choose the IDs of their images and biographies, so that they cannot replace an item during its review', async () => {
  const [player, biographyId, imageId] = [app.tokensOf('player'), newId('biography'), newId('image')];
  const refused = { errors: ['FORBIDDEN: input.id: the service assigns the ID'] };
  expect({
    biography: await createOwn('createBiography', `id: "${biographyId}"`, player),
    image: await createOwn('createUserImage', `id: "${imageId}", type: PROFILE`, player),
    imageByPlatform: await createOwn('createUserImage', `id: "${imageId}", type: PROFILE`, app.platform),
  }).toEqual({ biography: refused, image: refused, imageByPlatform: { createUserImage: { id: imageId } } });
});
