import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type Service, tokens } from './attacked.js';
import { memoryLimit } from './campaign.js';

/** An attack that uses many requests. `run` returns descriptions of the violated rules. */
export interface Scenario {
  readonly name: string;
  run(service: Service, seed: number): Promise<string[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: scenarios read responses of many operations
type Answer = any;

async function sendOperation(origin: string, query: string, variables: object, token: Record<string, string>): Promise<Answer> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...token },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors = [] } = (await response.json()) as Answer;
  return { ...data, errors };
}

/** Sends an upsert of `/v1` as the user. */
const upsertLegacy = (origin: string, path: string, payload: object): Promise<Response> =>
  fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asUser },
    body: JSON.stringify({ payload }),
  });

/** Returns the cost of a query, as computed by the service. A subscription with the same fields costs a little more. */
async function costOf(origin: string, query: string): Promise<number> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...asPlatform },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as Answer).extensions.cost.cost;
}

const asPlatform = { 'PB-API-TOKEN': tokens.platform };
const asUser = { 'PB-USER-TOKEN': tokens.user };
const day = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();

/** A player writes random fields of their own entries and registrations. Only valid entries and withdrawals may change the amount owed. */
const ownEntries: Scenario = {
  name: 'own entries',
  async run({ origin, database }, seed) {
    const platform = (query: string, variables: object) => sendOperation(origin, query, variables, asPlatform);
    const player = (request: string, content: object): Promise<unknown> =>
      request.startsWith('/v1/') ? upsertLegacy(origin, request, content) : sendOperation(origin, request, content, asUser);
    const tournament = { id: 'abuse-cup', registrationOpensAt: inDays(-1), registrationClosesAt: inDays(1), startsAt: inDays(2) };
    await platform('mutation ($input: TournamentInput!) { upsertTournament(input: $input) { id } }', { input: tournament });
    const events = ['cheap', 'expensive', 'full', 'canceled', 'other'].map((id, index) => ({
      id: `abuse-${id}`,
      tournamentId: id === 'other' ? 'abuse-nowhere' : tournament.id,
      fee: String(30 + 100 * index),
      maxTeams: id === 'full' ? 1 : null,
      isCanceled: id === 'canceled',
    }));
    for (const input of events)
      await platform('mutation ($input: TournamentEventInput!) { upsertEvent(input: $input) { id } }', { input });
    await platform('mutation { upsertTeam(input: { id: "abuse-team", eventId: "abuse-full" }) { id } }', {});
    const ids = fc.constantFrom(
      'abuse-entry-1',
      'abuse-entry-2',
      'abuse-registration-1',
      'abuse-registration-2',
      'abuse-nowhere',
      '',
      null,
    );
    const eventIds = fc.constantFrom(...events.map(({ id }) => id), null);
    const entryInput = fc.record(
      {
        id: fc.constantFrom('abuse-entry-1', 'abuse-entry-2', 'abuse-entry-3'),
        eventId: eventIds,
        registrationId: ids,
        teamId: fc.constantFrom('abuse-team', 'abuse-nowhere', null),
        status: fc.constantFrom('REGISTERED', 'WAITLISTED', 'WITHDRAWN', 'INVITED', null),
        originalEventId: eventIds,
        partnerId: fc.constantFrom('abuse-admin', null),
      },
      { requiredKeys: ['id'] },
    );
    const registrationInput = fc.record(
      {
        id: fc.constantFrom('abuse-registration-1', 'abuse-registration-2'),
        tournamentId: fc.constantFrom(tournament.id, 'abuse-nowhere', null),
      },
      { requiredKeys: ['id'] },
    );
    const actions: readonly ((draw: <T>(arbitrary: fc.Arbitrary<T>) => T) => [string, object])[] = [
      (draw) => [
        'mutation ($input: EventRegistrationInput!) { upsertEventRegistration(input: $input) { id } }',
        { input: draw(entryInput) },
      ],
      (draw) => {
        const { id, ...input } = draw(entryInput);
        return [
          'mutation ($id: ID!, $input: EventRegistrationInput!) { updateEventRegistration(id: $id, input: $input) { id } }',
          { id, input },
        ];
      },
      (draw) => [
        'mutation ($input: RegistrationInput!) { upsertRegistration(input: $input) { id } }',
        { input: draw(registrationInput) },
      ],
      (draw) => [
        'mutation ($input: RegisterTeamInput!) { registerTeam(input: $input) { id } }',
        { input: { eventId: draw(eventIds) ?? '' } },
      ],
      (draw) => ['mutation ($id: ID!) { withdraw(id: $id) { id } }', { id: draw(entryInput).id }],
      (draw) => {
        const { id, eventId, registrationId, teamId, status, originalEventId, partnerId } = draw(entryInput);
        return [
          '/v1/tournament_attendee_event_records/upsert',
          {
            tournament_attendee_event_uuid: id,
            event_uuid: eventId,
            tournament_attendee_header_uuid: registrationId,
            event_team_uuid: teamId,
            status: status && ['REGISTERED', 'WAITLISTED', 'WITHDRAWN', 'INVITED'].indexOf(status) + 1,
            original_event_uuid: originalEventId,
            partner_user_uuid: partnerId,
          },
        ];
      },
      (draw) => {
        const { id, tournamentId } = draw(registrationInput);
        return [
          '/v1/tournament_attendee_event_headers/upsert',
          { tournament_attendee_header_uuid: id, tournament_uuid: tournamentId },
        ];
      },
    ];
    const entries = async (): Promise<Answer[]> =>
      (
        await database.query(
          `select r.id, r.event_id, r.registration_id, r.team_id, r.status, r.original_event_id, e.id is null as "isFree", e.is_canceled,
             g.user_id is not distinct from r.user_id and g.tournament_id is not distinct from e.tournament_id as "isBilled",
             (select count(*)::int from team t where t.event_id = e.id) > e.max_teams as "isOverfull"
           from event_registration r left join tournament_event e on e.id = r.event_id left join registration g on g.id = r.registration_id
           where r.user_id = 'abuse-user' order by r.id`,
        )
      ).rows;
    const violations = new Set<string>();
    let before = new Map<string, Answer>();
    const steps =
      fc.sample(fc.array(fc.tuple(fc.nat(actions.length - 1), fc.nat()), { minLength: 400, maxLength: 400 }), {
        seed,
        numRuns: 1,
      })[0] ?? [];
    for (const [kind, own] of steps) {
      const [request, content] = actions[kind]?.((arbitrary) => fc.sample(arbitrary, { seed: own, numRuns: 1 })[0] as never) ?? [
        '',
        {},
      ];
      await player(request, content);
      const after = new Map((await entries()).map((entry) => [entry.id, entry]));
      for (const entry of after.values()) {
        const earlierEntry = before.get(entry.id);
        for (const column of ['event_id', 'registration_id', 'team_id', 'status', 'original_event_id'])
          if (earlierEntry && earlierEntry[column] !== entry[column])
            violations.add(`a player changed ${column} of their own entry: ${request}`);
        if (!earlierEntry && !entry.isFree && (entry.is_canceled || entry.event_id === 'abuse-full'))
          violations.add(`a player entered ${entry.event_id}`);
        if (!entry.isFree && !entry.isBilled) violations.add(`an entry has no registration for its tournament: ${request}`);
        if (!entry.isFree && entry.status !== 1) violations.add(`a player chose the status ${entry.status}`);
      }
      before = after;
    }
    return [...violations];
  },
};

/** A user triggers as many emails as possible, with a text of their choice. */
const mails: Scenario = {
  name: 'mails',
  async run({ origin, database }) {
    const marker = 'Locked-visit-http://evil.example/';
    await sendOperation(
      origin,
      'mutation ($input: ProfileInput!) { updateProfile(input: $input) { id } }',
      { input: { firstName: marker } },
      asUser,
    );
    for (let round = 0; round < 40; round++) {
      const invitedEmails = [
        'victim@example.com',
        ...Array.from({ length: 9 }, (_, index) => `guest-${round}-${index}@example.com`),
      ];
      const schedule = 'mutation ($input: GameInput!) { scheduleGame(input: $input) { id } }';
      await sendOperation(origin, schedule, { input: { title: marker, startsAt: inDays(2), invitedEmails } }, asUser);
      const register = 'mutation ($input: RegisterTeamInput!) { registerTeam(input: $input) { registrations { nodes { id } } } }';
      const { registerTeam } = await sendOperation(
        origin,
        register,
        { input: { eventId: 'abuse-cheap', partnerEmail: 'victim@example.com' } },
        asUser,
      );
      for (const { id } of registerTeam?.registrations?.nodes ?? [])
        await sendOperation(origin, 'mutation ($id: ID!) { withdraw(id: $id) { id } }', { id }, asUser);
    }
    const { rows } = await database.query<{ to: string; subject: string; text: string; count: number }>(
      `select data->>'to' as "to", max(data->>'subject') as subject, max(data->>'text') as text, count(*)::int as count
       from jobs.job where name = 'mail' and (data->>'to' = 'victim@example.com' or data->>'to' like 'guest-%') group by 1`,
    );
    const total = rows.reduce((sum, { count }) => sum + count, 0);
    const victim = rows.find(({ to }) => to === 'victim@example.com')?.count ?? 0;
    return [
      ...(total > 100 ? [`one user caused ${total} emails in one run`] : []),
      ...(victim > 5 ? [`one user caused ${victim} emails to one address`] : []),
      ...(rows.length === 0 ? ['no email was sent'] : []),
      ...(rows.some(({ subject }) => subject.includes('Locked')) ? ['the subject of an email contains text from a user'] : []),
      ...(rows.some(({ text }) => text.includes('http://evil')) ? ['an email contains a link from a user'] : []),
    ];
  },
};

/** A subscription that the service accepts or refuses. */
interface Listener {
  /** Whether the service has accepted the subscription and keeps it open. A refusal ends the response. */
  readonly isOpen: () => boolean;
  readonly close: () => void;
}

/** Opens a subscription and passes the received data to a callback. */
function listen(origin: string, query: string, headers: Record<string, string>, received: (text: string) => void): Listener {
  let isOpen = false;
  const onClose = () => {
    isOpen = false;
  };
  const clientRequest = request(`${origin}/graphql`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
  });
  clientRequest.on('response', (response) => {
    isOpen = response.statusCode === 200;
    response.setEncoding('utf8').on('data', received).on('close', onClose);
  });
  clientRequest.on('error', onClose).end(JSON.stringify({ query }));
  return { isOpen: () => isOpen, close: () => void clientRequest.destroy() };
}

interface Flood {
  readonly name: string;
  /** Token headers of the callers. The callers open the subscriptions in turn. */
  readonly callers: readonly Record<string, string>[];
  /** Fields of the tournament that each subscription selects. */
  readonly fields: string;
  /** Returns the subscription with the given number in a wave. */
  readonly queryOf: (tournamentId: string, number: number, wave: number) => string;
  /** Returns the subscription of another caller, which must not be affected. */
  readonly otherQuery: (tournamentId: string) => string;
  /** Maximum delay of an event for the other caller, in milliseconds. */
  readonly maxDelay: number;
  /** Number of times that the callers open and close all subscriptions. */
  readonly waves: number;
}

const player = 'firstName lastName slug city';
const teamsOf = (first: number, more = ''): string =>
  `teams(first: ${first}) { nodes { id playerOne { ${player} } playerTwo { ${player} } ${more} } }`;
const subscriptionTo = (id: string, fields: string, alias = '') =>
  `subscription { tournament(id: "${id}") { ${alias} tournament { title ${fields} } } }`;

/** Default limits of the service. They are hard-coded, so that a scenario fails if a default is raised. */
const maxCost = { perCaller: 500_000, perAddress: 1_000_000 };

/** Waits up to 30 s until the open subscriptions comply with the cost limits. Returns the limits that they still violate. */
async function costViolations(listeners: readonly (readonly Listener[])[], cost: number): Promise<string[]> {
  const openCosts = () => listeners.map((ofCaller) => cost * ofCaller.filter(({ isOpen }) => isOpen()).length);
  const violations = () => {
    const costs = openCosts();
    return [
      ...(Math.max(...costs) > maxCost.perCaller
        ? [`one caller has open subscriptions that cost more than ${maxCost.perCaller}`]
        : []),
      ...(costs.reduce((sum, each) => sum + each, 0) > maxCost.perAddress
        ? [`one address has open subscriptions that cost more than ${maxCost.perAddress}`]
        : []),
      ...(costs.every((each) => each === 0) ? ['no subscription is open'] : []),
    ];
  };
  for (let attempt = 0; attempt < 60 && violations().length > 0; attempt++) await sleep(500);
  return violations();
}

/**
 * Returns a scenario in which callers open 1,000 subscriptions per wave. Another subscriber must still get events promptly, and memory and
 * total cost must stay within their limits.
 */
const flood = ({ name, callers, fields, queryOf, otherQuery, maxDelay, waves }: Flood): Scenario => ({
  name,
  async run({ origin, database, memory }) {
    const { rows } = await database.query<{ id: string }>(
      'select tournament_id as id from team group by 1 order by count(*) desc limit 1',
    );
    const id = rows[0]?.id ?? '';
    let title = '';
    let onEvent: (() => void) | null = null;
    const receive = (text: string) => {
      if (title && text.includes(title)) onEvent?.();
    };
    const other = listen(origin, otherQuery(id), asPlatform, receive);
    const violations = new Set<string>();
    const cost = await costOf(origin, `{ tournament(id: "${id}") { title ${fields} } }`);
    for (let wave = 0; wave < waves; wave++) {
      const listeners = callers.map((): Listener[] => []);
      for (let number = 0; number < 1_000; number++) {
        const index = number % callers.length;
        listeners[index]?.push(listen(origin, queryOf(id, number, wave), callers[index] ?? {}, () => undefined));
      }
      await sleep(5_000);
      for (const violation of await costViolations(listeners, cost)) violations.add(violation);
      for (let round = 0; round < 5; round++) {
        title = `Flooded ${wave}-${round}`;
        const nextEvent = new Promise<void>((resolve) => {
          onEvent = resolve;
        });
        const startedAt = performance.now();
        await sendOperation(
          origin,
          'mutation ($id: ID!, $title: String!) { updateTournament(id: $id, input: { title: $title }) { id } }',
          { id, title },
          asPlatform,
        );
        const isTold = await Promise.race([nextEvent.then(() => true), sleep(10_000, false, { ref: false })]);
        const took = performance.now() - startedAt;
        if (!isTold || took > maxDelay)
          violations.add(`another subscriber waited more than ${maxDelay} ms while a visitor flooded subscriptions`);
        if (memory() > memoryLimit)
          violations.add(`the process used more than ${memoryLimit} MB while a visitor flooded subscriptions`);
        await sleep(500);
      }
      for (const { close } of listeners.flat()) close();
    }
    other.close();
    return [...violations];
  },
});

const visitor = { 'PB-API-TOKEN': tokens.key };
const expensiveTeams = teamsOf(100, 'standings(first: 40) { nodes { finalRanking } }');
const cheapTeams = teamsOf(50);

const expensiveFlood = flood({
  name: 'subscription flood',
  callers: [visitor],
  fields: expensiveTeams,
  queryOf: (id, number) => subscriptionTo(id, expensiveTeams, `a${number}: cursor`),
  otherQuery: (id) => subscriptionTo(id, ''),
  maxDelay: 2_000,
  waves: 1,
});

/** Several callers share one network address, so each caller can be below its limit while the address is above its own. */
const addressFlood = flood({
  name: 'flood from one address',
  callers: [visitor, asUser, { 'PB-USER-TOKEN': tokens.admin }],
  fields: expensiveTeams,
  queryOf: (id, number) => subscriptionTo(id, expensiveTeams, `a${number}: cursor`),
  otherQuery: (id) => subscriptionTo(id, ''),
  maxDelay: 2_000,
  waves: 1,
});

/** The last subscription of the visitor is identical to that of the other subscriber, so that they could share responses. */
const sharedFlood = flood({
  name: 'shared subscription',
  callers: [visitor],
  fields: cheapTeams,
  queryOf: (id, number) => subscriptionTo(id, cheapTeams, number < 999 ? `a${number}: cursor` : ''),
  otherQuery: (id) => subscriptionTo(id, cheapTeams),
  maxDelay: 2_000,
  waves: 1,
});

/** The visitor closes the subscriptions while their events are computed, and opens other subscriptions. */
const waves = flood({
  name: 'waves of subscriptions',
  callers: [visitor],
  fields: cheapTeams,
  queryOf: (id, number, wave) => subscriptionTo(id, cheapTeams, `a${wave}_${number}: cursor`),
  otherQuery: (id) => subscriptionTo(id, ''),
  maxDelay: 2_000,
  waves: 5,
});

export const scenarios: readonly Scenario[] = [ownEntries, mails, expensiveFlood, addressFlood, sharedFlood, waves];
