import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tournamentsOf } from '../../support/fixtures/tournaments.js';
import { startApp, type TestApp } from '../../support/servers/app.js';

let app: TestApp;
const { save, find, read } = tournamentsOf(() => app);
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('sanctions of a tournament', () => {
  const entries = 'sanctions { body isSanctioned levelTitle }';

  test('an update changes only the bodies that it names', async () => {
    await save({
      id: 's1',
      sanctions: [
        { body: 'PPA', isSanctioned: true, levelTitle: 'Gold' },
        { body: 'APP', levelTitle: 'Silver' },
      ],
    });
    expect(
      await save(
        {
          id: 's1',
          sanctions: [
            { body: 'APP', isSanctioned: true },
            { body: 'MLP', levelTitle: 'Tin' },
          ],
        },
        entries,
      ),
    ).toEqual({
      sanctions: [
        { body: 'APP', isSanctioned: true, levelTitle: 'Silver' },
        { body: 'MLP', isSanctioned: false, levelTitle: 'Tin' },
        { body: 'PPA', isSanctioned: true, levelTitle: 'Gold' },
      ],
    });
  });

  test('an empty entry deletes the sanction of its body, and an empty list deletes all', async () => {
    await save({
      id: 's2',
      sanctions: [
        { body: 'PPA', isSanctioned: true },
        { body: 'APP', isSanctioned: true },
      ],
    });
    expect({
      emptyEntry: await save({ id: 's2', sanctions: [{ body: 'PPA', isSanctioned: false, levelTitle: null }] }, entries),
      emptyList: await save({ id: 's2', sanctions: [] }, entries),
    }).toEqual({
      emptyEntry: { sanctions: [{ body: 'APP', isSanctioned: true, levelTitle: null }] },
      emptyList: { sanctions: [] },
    });
  });

  test('concurrent updates of different bodies are all stored', async () => {
    const bodies = ['APP', 'GPA', 'MLP', 'PAA', 'PCO', 'PPA', 'SSIPA', 'USAP', 'WPF'];
    await Promise.all(bodies.map((body) => save({ id: 's3', sanctions: [{ body, isSanctioned: true }] })));
    expect((await read('s3', 'sanctions { body }')).sanctions).toEqual(bodies.map((body) => ({ body })));
  });

  test('`sanctionedBy` finds tournaments sanctioned by any of the bodies', async () => {
    await save({ id: 's4', platform: 'bodies', sanctions: [{ body: 'PPA', isSanctioned: true }] });
    await save({ id: 's5', platform: 'bodies', sanctions: [{ body: 'APP', isSanctioned: true }] });
    await save({ id: 's6', platform: 'bodies', sanctions: [{ body: 'APP', levelTitle: 'Requested' }] });
    const sanctionedBy = (...hasAny: string[]) => find({ platform: { eq: 'bodies' }, sanctionedBy: { hasAny } });
    expect({
      oneMatches: await sanctionedBy('PPA', 'MLP'),
      bothMatch: await sanctionedBy('PPA', 'APP'),
      noneMatches: await sanctionedBy('MLP'),
    }).toEqual({ oneMatches: ['s4'], bothMatch: ['s4', 's5'], noneMatches: [] });
  });

  test('`sanctionedBy` also finds tournaments with an approval of the body that is neither denied nor canceled', async () => {
    const platform = 'approvals';
    const approved = (id: string, approvals: object[]) => save({ id, platform: platform, approvals });
    await save({
      id: 'a1',
      platform: platform,
      sanctions: [{ body: 'PPA', isSanctioned: true }],
      approvals: [{ governingBodyId: '6' }],
    });
    await approved('a2', [{ governingBodyId: '1' }, { governingBodyId: '6', legacy: { status: 'requested' } }]);
    await approved('a3', [{ legacy: { governingBodyId: 'PPA' } }, { legacy: { governingBodyId: '66' } }]);
    const refusals = ['Declined', 'DENIED', 'rejected', 'Canceled', 'cancelled'];
    for (const [index, status] of refusals.entries())
      await approved(`r${index}`, [{ governingBodyId: '6', legacy: { status } }, { governingBodyId: '3' }]);
    const sanctionedBy = (...hasAny: string[]) => find({ platform: { eq: platform }, sanctionedBy: { hasAny } });
    expect({
      ppa: await sanctionedBy('PPA'),
      app: await sanctionedBy('APP'),
      gpa: await sanctionedBy('GPA'),
      anyOfThree: await sanctionedBy('USAP', 'APP', 'PPA'),
    }).toEqual({ ppa: ['a1', 'a2'], app: ['a2'], gpa: [], anyOfThree: ['a1', 'a2'] });
    expect((await sanctionedBy('MLP')).length).toBe(refusals.length);
  });

  test('the governing body of an approval is found by its ID, and is null if the ID is unknown', async () =>
    expect(
      await save(
        { approvals: [{ governingBodyId: '6' }, { legacy: { governingBodyId: 'none' } }] },
        'approvals { governingBody { shortName } }',
      ),
    ).toEqual({
      approvals: [{ governingBody: { shortName: 'PPA' } }, { governingBody: null }],
    }));
});

describe('updating a tournament', () => {
  test('keeps omitted fields and the codes, and clears fields that are null', async () => {
    const fields = 'title isFeatured location { city venue } code refereeCode';
    const before = await save({ id: 'p1', title: 'One', isFeatured: true, location: { city: 'Austin', venue: 'Park' } }, fields);
    const after = await save({ id: 'p1', title: null, isFeatured: null, location: { venue: null } }, fields);
    expect(after).toEqual({ ...before, title: null, isFeatured: false, location: { city: 'Austin', venue: null } });
  });

  test.for<[object, string]>([
    [{ location: { latitude: 91 } }, 'BAD_INPUT: input.location.latitude: expected a number from -90 to 90'],
    [{ title: 'a\0b' }, 'BAD_INPUT: input.title: expected text without NUL characters'],
    [{ title: '\ud83d' }, 'BAD_INPUT: input.title: expected well-formed Unicode text'],
    [{ title: 'x'.repeat(10_001) }, 'BAD_INPUT: input.title: expected at most 10000 characters'],
    [{ sanctions: [{ isSanctioned: true }] }, 'BAD_INPUT: input.sanctions[0].body: expected a value'],
    [
      { approvals: [{ legacy: { status: 'a\0b' } }] },
      'BAD_INPUT: input.approvals[0].legacy.status: expected text without NUL characters',
    ],
  ])('rejects %o', async ([input, error]) => expect(await save(input)).toEqual({ errors: [error] }));
});

test('a tournament is found by its code in any letter case', async () => {
  const { code } = await save({ id: 'p2' }, 'code');
  const lower = code.toLowerCase();
  const byCode = (text: string) => app.graphql('query ($code: String!) { tournamentByCode(code: $code) { id } }', { code: text });
  expect({
    sameCase: await byCode(code),
    lowerCase: await byCode(lower),
    otherCode: await byCode(`${lower}x`),
  }).toEqual({
    sameCase: { tournamentByCode: { id: 'p2' } },
    lowerCase: { tournamentByCode: { id: 'p2' } },
    otherCode: { tournamentByCode: null },
  });
  expect({
    eq: await find({ code: { eq: lower } }),
    in: await find({ code: { in: [lower, 'none'] } }),
    ne: await find({ code: { ne: lower }, id: { eq: 'p2' } }),
  }).toEqual({ eq: ['p2'], in: ['p2'], ne: [] });
});

describe('permission to write tournaments', () => {
  const mutation = 'mutation { upsertTournament(input: { title: "Mine" }) { id } }';

  test('is denied to users, who may only read them', async () => {
    const { user } = await app.person();
    await save({ id: 'read' });
    expect({
      read: await app.graphql('{ tournament(id: "read") { id } }', {}, { user }),
      write: await app.graphql(mutation, {}, { user }),
    }).toEqual({
      read: { tournament: { id: 'read' } },
      write: { errors: ['FORBIDDEN: Not allowed: requires a platform token, or a user token with the role ADMIN'] },
    });
  });

  test('is denied to requests without a token', async () =>
    expect(await app.graphql(mutation, {}, { platform: '' })).toEqual({
      errors: [
        'UNAUTHENTICATED: Authentication required: send a platform token (header PB-API-TOKEN), or a user token with the role ADMIN (header PB-USER-TOKEN)',
      ],
    }));
});
