import { readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import countries from '../../../src/modules/reference/data/countries.json' with { type: 'json' };
import currencies from '../../../src/modules/reference/data/currencies.json' with { type: 'json' };
import governingBodies from '../../../src/modules/reference/data/governingBodies.json' with { type: 'json' };
import roles from '../../../src/modules/reference/data/roles.json' with { type: 'json' };
import states from '../../../src/modules/reference/data/states.json' with { type: 'json' };
import systemTextNumbers from '../../../src/modules/reference/data/systemTextNumbers.json' with { type: 'json' };
import timezones from '../../../src/modules/reference/data/timezones.json' with { type: 'json' };
import { generatedLookups } from '../../../src/modules/reference/generate/lookups.js';
import { states as numberStates } from '../../../src/modules/reference/generate/states.js';
import { assignZoneIds } from '../../../src/modules/reference/generate/timezones.js';

const data = 'src/modules/reference/data';
const files = readdirSync(data);
const rowsOf = (file: string): Record<string, unknown>[] => JSON.parse(readFileSync(`${data}/${file}`, 'utf8'));
const ids = (rows: { id: string }[]) => new Set(rows.map(({ id }) => id));
const statesOf = (alpha2: string) =>
  states.filter(({ code }) => code.startsWith(`${alpha2}-`)).map(({ abbreviation }) => abbreviation);

/** Year for which the data lists the daylight saving changes. */
const year = Number(timezones.find(({ ianaName }) => ianaName === 'America/New_York')?.daylightStartsAt?.slice(0, 4));

describe('every lookup', () => {
  it.each(files)('%s has rows with the same keys and distinct IDs', (file) => {
    const rows = rowsOf(file);
    const keys = rows.map(({ id }) => id);
    const shapes = rows.map((row) =>
      Object.keys(row)
        .filter((key) => key !== 'lengthInMinutes')
        .join(),
    );
    expect({ ids: new Set(keys).size, shapes: new Set(shapes).size }).toEqual({ ids: rows.length || 'at least one', shapes: 1 });
  });

  it('has no empty value', () => {
    const empty = files.flatMap((file) =>
      rowsOf(file).filter((row) => Object.values(row).some((value) => value === '' || Number.isNaN(value))),
    );
    expect(empty).toEqual([]);
  });

  it('refers only to rows that exist', () => {
    const [countryIds, textNumberIds, roleIds] = [ids(countries), ids(systemTextNumbers), ids(roles)];
    expect({
      states: states.filter(({ countryId }) => !countryIds.has(countryId)),
      countries: countries.filter(({ systemTextNumberId }) => !textNumberIds.has(systemTextNumberId)),
      roles: roles.filter(({ inheritedIds }) => !inheritedIds.every((id) => roleIds.has(id))),
    }).toEqual({ states: [], countries: [], roles: [] });
  });
});

it('all lookups together are smaller than a megabyte', () => {
  const bytes = files.reduce((sum, file) => sum + statSync(`${data}/${file}`).size, 0);
  expect(bytes).toBeLessThan(1_000_000);
});

describe('the generated lookups', () => {
  it('equal the output of the generator', () => {
    expect(generatedLookups({ states, timezones }, year)).toEqual({ countries, currencies, states, timezones });
  });

  it('have at least the ISO countries and currencies', () => {
    expect(countries.length).toBeGreaterThanOrEqual(249);
    expect(currencies.length).toBeGreaterThanOrEqual(170);
  });

  it('have all states of the United States, Canada, Australia and Mexico', () => {
    expect({ CA: statesOf('CA').length, AU: statesOf('AU').length, MX: statesOf('MX').length }).toEqual({
      CA: 13,
      AU: 8,
      MX: 32,
    });
    expect(statesOf('US').sort().join(' ')).toBe(
      'AK AL AR AS AZ CA CO CT DC DE FL GA GU HI IA ID IL IN KS KY LA MA MD ME MI MN MO MP MS MT NC ND NE NH NJ NM NV NY OH OK OR PA PR RI SC SD TN TX UM UT VA VI VT WA WI WV WY',
    );
  });

  it('identify countries and currencies by their ISO numbers', () => {
    expect({
      unitedStates: countries.find(({ alpha2 }) => alpha2 === 'US'),
      albanianLek: currencies.find(({ abbreviation }) => abbreviation === 'ALL'),
    }).toEqual({
      unitedStates: {
        id: '840',
        abbreviation: 'USA',
        title: 'United States',
        callingCode: '1',
        stateTitle: 'State',
        zipCodeTitle: 'ZIP Code',
        systemTextNumberId: '1',
        alpha2: 'US',
        continentNumber: 3,
      },
      albanianLek: { id: '8', title: 'Albanian Lek', abbreviation: 'ALL' },
    });
  });

  it('have calling codes of one to three digits, equal within a numbering plan', () => {
    const codes = Object.fromEntries(countries.map(({ alpha2, callingCode }) => [alpha2, callingCode]));
    const { CA, PR, DO, GB, RU, XK } = codes;
    expect({ CA, PR, DO, GB, RU, XK }).toEqual({ CA: '1', PR: '1', DO: '1', GB: '44', RU: '7', XK: '383' });
    expect(Object.values(codes).filter((code) => !/^[1-9]\d{0,2}$/.test(code))).toEqual([]);
  });
});

describe('states', () => {
  it('are numbered by country: United States, Canada, Australia, Mexico, then the rest', () => {
    const firstStates = ['US', 'CA', 'AU', 'MX', 'AD'].map((alpha2) => states.find(({ code }) => code.startsWith(alpha2)));
    expect(firstStates.map((state) => ({ id: state?.id, code: state?.code }))).toEqual([
      { id: '1', code: 'US-AL' },
      { id: '58', code: 'CA-AB' },
      { id: '71', code: 'AU-ACT' },
      { id: '79', code: 'MX-AGU' },
      { id: '111', code: 'AD-07' },
    ]);
  });

  it('keep their numbers when the list grows', () => {
    const numberedStates = [
      { id: '7', code: 'US-TX' },
      { id: '9', code: 'US-ZZ' },
    ];
    expect(numberStates(numberedStates).slice(0, 3)).toEqual([
      { id: '7', code: 'US-TX', abbreviation: 'TX', title: 'Texas', countryId: '840' },
      { id: '10', code: 'US-AL', abbreviation: 'AL', title: 'Alabama', countryId: '840' },
      { id: '11', code: 'US-AK', abbreviation: 'AK', title: 'Alaska', countryId: '840' },
    ]);
  });
});

describe('time zones', () => {
  const offsetIn = (timeZone: string) => {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    return (instant: number) => {
      const offset = format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      const [, sign, hours = 0, minutes = 0] = /GMT(?:([+-])(\d+):(\d+))?/.exec(offset) ?? [];
      return (Number(hours) * 3600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
    };
  };
  /** Returns the UTC offset, in seconds, that a row of the data specifies for an instant. */
  const offsetOfRow = (
    { utcOffset, daylightUtcOffset, daylightStartsAt, standardStartsAt }: (typeof timezones)[number],
    instant: number,
  ) => {
    if (!daylightStartsAt || !standardStartsAt) return utcOffset;
    const [start, end] = [Date.parse(daylightStartsAt), Date.parse(standardStartsAt)];
    const isDaylight = start < end ? instant >= start && instant < end : instant >= start || instant < end;
    return isDaylight ? daylightUtcOffset : utcOffset;
  };

  it('include all zones of Intl and the aliases that clients send', () => {
    const names = new Set(timezones.map(({ ianaName }) => ianaName));
    const links = ['UTC', 'US/Eastern', 'Asia/Kolkata', 'Asia/Calcutta', 'Etc/GMT+5', 'EST5EDT', 'Europe/Kyiv', 'Europe/Kiev'];
    expect([...Intl.supportedValuesOf('timeZone'), ...links].filter((name) => !names.has(name))).toEqual([]);
  });

  it("have Intl's offsets, before and after every change of the year", () => {
    const end = Date.UTC(year + 1) - 1;
    const wrongZones = timezones.filter((zone) => {
      const changes = [zone.daylightStartsAt, zone.standardStartsAt].flatMap((change) =>
        change ? [Date.parse(change) - 1, Date.parse(change)] : [],
      );
      const times = zone.hasDaylightSaving ? [Date.UTC(year), ...changes, Date.UTC(year, 6), end] : [end];
      const offset = offsetIn(zone.ianaName);
      return times.some((instant) => offsetOfRow(zone, instant) !== offset(instant));
    });
    expect(wrongZones, `Node knows other rules (tz ${process.versions.tz}): run npm run reference`).toEqual([]);
  });

  it('have the times of their clock changes and the names before and after', () => {
    expect(timezones.find(({ ianaName }) => ianaName === 'America/New_York')).toEqual({
      id: expect.stringMatching(/^\d+$/),
      utcOffset: -18000,
      title: 'Eastern Time',
      abbreviation: 'EST',
      fullName: 'Eastern Standard Time',
      hasDaylightSaving: true,
      ianaName: 'America/New_York',
      daylightStartsAt: expect.stringMatching(/-03-\d\dT07:00:00Z$/),
      standardStartsAt: expect.stringMatching(/-11-\d\dT06:00:00Z$/),
      daylightAbbreviation: 'EDT',
      daylightUtcOffset: -14400,
    });
  });

  it('keep their numbers when the list grows', () => {
    expect(assignZoneIds([{ id: '700', ianaName: 'UTC' }]).slice(0, 2)).toEqual([
      { id: '700', ianaName: 'UTC' },
      { id: '701', ianaName: 'Africa/Abidjan' },
    ]);
  });
});

describe('roles', () => {
  const titlesOf = (inherited: string[]) => roles.filter(({ id }) => inherited.includes(id)).map(({ title }) => title);

  it('are the nine roles of the legacy interface', () => {
    const titles =
      'ADMIN NEWS_ADMIN USER USERS_PROFILES_EDITOR REFEREE CONTENT_CREATOR MANAGE_VIEWER NEWS_CREATOR CONTENT_CONFIRMER'.split(
        ' ',
      );
    expect(roles.map(({ title }) => title)).toEqual(titles);
  });

  it('list inherited roles transitively', () => {
    const missing = roles.flatMap(({ title, inheritedIds }) =>
      roles
        .filter(({ id }) => inheritedIds.includes(id))
        .flatMap((role) => role.inheritedIds.filter((id) => !inheritedIds.includes(id)).map((id) => `${title} ${id}`)),
    );
    expect(missing).toEqual([]);
  });

  it('give an admin all other roles, and a content confirmer only the role of a user', () => {
    const inherited = Object.fromEntries(roles.map(({ title, inheritedIds }) => [title, titlesOf(inheritedIds)]));
    const { ADMIN, NEWS_ADMIN, CONTENT_CONFIRMER, USER } = inherited;
    expect({ adminCount: ADMIN?.length, NEWS_ADMIN, CONTENT_CONFIRMER, USER }).toEqual({
      adminCount: 8,
      NEWS_ADMIN: ['USER', 'CONTENT_CREATOR', 'NEWS_CREATOR', 'CONTENT_CONFIRMER'],
      CONTENT_CONFIRMER: ['USER'],
      USER: [],
    });
  });
});

it('governing bodies match the legacy fields for each body, and have a search parameter', () => {
  expect(Object.fromEntries(governingBodies.map(({ code, legacySearchParameter }) => [code, legacySearchParameter]))).toEqual({
    APP: 'sanction_app',
    GPA: 'sanction_gpa',
    MLP: 'sanction_mlp',
    PAA: 'sanction_paa',
    PCO: 'sanction_pco',
    PPA: 'sanction_ppa',
    SSIPA: 'sanction_ssipa',
    USAP: 'sanction_usapa',
    WPF: 'sanction_wpf',
  });
});
