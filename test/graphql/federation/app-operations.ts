import type { Example } from '../../../src/graphql/examples/index.js';

/** An operation as apps send it. In mutations, `%` is a placeholder for a prefix of IDs that is unique for each run. */
export interface AppOperation extends Example {
  operationName?: string;
  /** Set if the operation is rejected before execution. */
  isRejected?: true;
}

/** Data for the operations: a small season of two clubs, with records of every module. */
export const season = `mutation Season($player: ID!, $partner: ID!) {
  upsertClub(input: { id: "c1", title: "Austin Paddle" }) { id }
  other: upsertClub(input: { id: "c2", title: "Boston Paddle" }) { id }
  upsertTournament(input: { id: "t1", title: "Austin Open", clubId: "c1", startsAt: "2026-05-01T09:00:00Z" }) { id }
  second: upsertTournament(input: { id: "t2", title: "Boston Open", clubId: "c2", legacy: { format: "quadruple" } }) { id }
  third: upsertTournament(input: { id: "t3", title: "Open of nowhere" }) { id }
  upsertEvent(input: { id: "e1", tournamentId: "t1", title: "Men's doubles", formatId: "1" }) { id }
  upsertTeam(input: { id: "m1", tournamentId: "t1", eventId: "e1", playerOneId: $player, playerTwoId: $partner, seed: 1 }) { id }
  m2: upsertTeam(input: { id: "m2", tournamentId: "t1", eventId: "e1", playerOneId: $player, seed: 2 }) { id }
  m3: upsertTeam(input: { id: "m3", tournamentId: "t2", playerOneId: $partner, playerTwoId: "nobody" }) { id }
  upsertRegistration(input: { id: "r1", tournamentId: "t1", userId: $player }) { id }
  upsertEventRegistration(input: { id: "er1", registrationId: "r1", eventId: "e1", teamId: "m1", userId: $player, legacy: { status: 77 } }) { id }
  upsertRankingPoints(input: { id: "p1", playerId: $player, tournamentId: "t1", eventId: "e1", points: 100 }) { id }
  upsertDiscountCode(input: { id: "d1", moduleType: TOURNAMENT, moduleId: "t1", code: "OPEN" }) { id }
  upsertInvoice(input: { id: "i1", moduleType: TOURNAMENT, moduleId: "t1", userId: $player, registrationId: "r1" }) { id }
  upsertLeague(input: { id: "l1", title: "Austin League", clubId: "c1" }) { id }
  createNewsItem(input: { id: "n1", title: "Open in Austin", authorId: $player }) { id }
  react(newsItemId: "n1", kind: HEART, userId: $player) { id }
  createSponsor(input: { id: "s1", title: "Balls of Austin" }) { id }
  createUserImage(userId: $player, input: { id: "u1", type: PROFILE, url: "https://example.com/1.png" }) { id }
  scheduleGame(input: { id: "g1", ownerId: $player, title: "Friday game", startsAt: "2030-01-01T09:00:00Z", maxPlayers: 4, playerIds: [$partner] }) { id }
  f1: addFavorite(kind: TOURNAMENT, subjectId: "t1", userId: $player) { id }
  f2: addFavorite(kind: CLUB, subjectId: "c1", userId: $player) { id }
  f3: addFavorite(kind: LEAGUE, subjectId: "l1", userId: $player) { id }
  f4: addFavorite(kind: GAME, subjectId: "g1", userId: $player) { id }
}`;

const byId = 'orderBy: [{ field: ID }]';
const open = 'filter: { id: { in: ["t1", "t2", "t3"] } }, orderBy: [{ field: ID }]';

export const appOperations: readonly AppOperation[] = [
  {
    title: 'aliases of one field with different arguments',
    query: `{ first: tournaments(first: 1, ${byId}) { nodes { a: title b: title club { d: title } few: teams(first: 1, ${byId}) { nodes { id } } more: teams(first: 3, ${byId}) { nodes { id one: playerOne { n: lastName } } } } } second: tournaments(first: 1, offset: 1, ${byId}) { nodes { title } } }`,
  },
  {
    title: 'the same lists selected twice',
    query: `{ tournaments(${open}) { nodes { id x: teams(${byId}) { nodes { id } } } nodes { title x: teams(${byId}) { nodes { seed playerOne { id } } nodes { playerOne { lastName } } } } } }`,
  },
  {
    title: 'aliases of __typename',
    query: `{ kind: __typename tournaments(${open}) { kind: __typename nodes { kind: __typename id club { sort: __typename title } } } }`,
  },
  { title: 'only __typename', query: `{ tournaments(${open}) { __typename nodes { __typename club { __typename } } } }` },
  {
    title: 'nested fragments across modules',
    query: `query Q { tournaments(${open}) { nodes { ...T } } } fragment T on Tournament { id title club { ...C } isViewerFavorite } fragment C on Club { title isViewerFavorite }`,
    caller: 'user',
  },
  {
    title: 'a fragment on the Node interface',
    query: `{ tournaments(${open}) { nodes { ...N } } clubs(first: 2, ${byId}) { nodes { ...N } } } fragment N on Node { __typename nodeId ... on Tournament { title rankingPoints(first: 1) { totalCount } } ... on Club { slug tournaments(first: 1) { totalCount } } }`,
  },
  { title: 'an interface without type conditions', query: `{ tournaments(${open}) { nodes { ... on Node { nodeId } } } }` },
  {
    title: 'pending approvals, by interface and by type',
    query:
      '{ pendingApprovals(first: 10) { totalCount nodes { id approval { state } viewerCan { approve } ... on Sponsor { title user { lastName } images(first: 1) { nodes { id } } } ... on UserImage { url user { lastName email } } ... on Node { nodeId } } } }',
    caller: 'admin',
  },
  {
    title: 'pending approvals, by interface only',
    query: '{ pendingApprovals(first: 5) { nodes { id approval { state } viewerCan { approve } } } }',
    caller: 'admin',
  },
  {
    title: "the subjects of the viewer's favorites",
    query:
      '{ viewer { favorites(first: 20) { nodes { kind subject { __typename ... on Tournament { title club { title } isViewerRegistered } ... on League { title format { title } } ... on Club { title tournaments(first: 1) { totalCount } } ... on Game { title owner { lastName } } } } } } }',
    caller: 'user',
  },
  {
    title: 'a union with fragments on one type and on Node',
    query: '{ viewer { favorites(first: 20) { nodes { subject { ... on Tournament { title } ... on Node { nodeId } } } } } }',
    caller: 'user',
  },
  {
    title: 'the subjects of notifications',
    query:
      '{ viewer { unreadNotificationCount notifications(first: 20) { nodes { event content type { title } subject { __typename ... on Tournament { title teams(first: 1) { totalCount } } ... on Game { title } } } } } }',
    caller: 'user',
  },
  {
    title: 'search results with fields of other modules',
    query:
      '{ search(text: "open", first: 10) { totalCount edges { cursor node { __typename ... on Node { nodeId } ... on Tournament { title startsAt club { title } isViewerFavorite } ... on Club { title leagues(first: 1) { totalCount } } ... on User { firstName rankings(divisions: [MENS_SINGLES]) { rank } } ... on League { title } ... on NewsItem { title reactionCounts { kind count } } } } } }',
  },
  {
    title: 'search results whose titles share one alias',
    query:
      '{ search(text: "austin", first: 10) { nodes { ... on Tournament { name: title } ... on Club { name: title } ... on User { name: lastName } ... on League { name: title } ... on NewsItem { name: title } } } }',
  },
  {
    title: 'the viewer with all related records',
    query:
      '{ viewer { id email isCompleted roles { title } country { title } teams(first: 3) { nodes { event { title } tournament { title } } } games(first: 3) { nodes { title players(first: 5) { nodes { lastName } } } } registrations(first: 3) { nodes { tournament { title } events(first: 2) { nodes { status legacy { status } event { title } team { id } } } invoices(first: 2) { nodes { total paid balance items { nodes { title } } } } } } rankings(divisions: [MENS_SINGLES]) { rank points } notificationSettings { type { title } } } }',
    caller: 'user',
  },
  {
    title: 'selections excluded by variables',
    query: `query Q($yes: Boolean!, $no: Boolean!) { tournaments(${open}) { nodes { id title @skip(if: $yes) club @include(if: $yes) { title } teams(first: 1) @include(if: $no) { totalCount } ... @include(if: $no) { rankingPoints { totalCount } } ...F @skip(if: $no) } } clubs @skip(if: $yes) { totalCount } } fragment F on Tournament { isViewerFavorite }`,
    variables: { yes: true, no: false },
  },
  {
    title: 'all selections excluded',
    query: 'query Q($yes: Boolean!) { tournaments(first: 2) @skip(if: $yes) { totalCount } }',
    variables: { yes: true },
  },
  {
    title: 'all fields of a record of another module excluded',
    query: `query Q($yes: Boolean!) { tournaments(${open}) { nodes { club { title @skip(if: $yes) } } } }`,
    variables: { yes: true },
  },
  {
    title: 'variables in nested lists, with defaults',
    query: `query Q($from: Instant, $ids: [ID!], $few: Int = 2, $f: TournamentFilter!) { tournaments(first: $few, filter: { and: [$f, { or: [{ startsAt: { gte: $from } }, { id: { in: $ids } }] }] }, ${byId}) { nodes { id teams(first: $few, filter: { seed: { gte: 1 } }, ${byId}) { nodes { seed playerOne { favorites(first: $few) { totalCount } } } } rankingPoints(first: $few) { totalCount } } } }`,
    variables: { from: '2020-01-01T00:00:00Z', ids: ['t2'], f: { isCanceled: false } },
  },
  {
    title: 'enums as variables, and stored values outside the enum',
    query: `query Q($k: [Gender!]) { users(first: 3, filter: { gender: { in: $k } }, ${byId}) { nodes { gender } } tournaments(${open}) { nodes { format legacy { format } phase } } }`,
    variables: { k: ['F'] },
  },
  {
    title: 'a forbidden list in a list',
    query: `{ tournaments(${open}) { nodes { id discountCodes { totalCount } club { title } } } }`,
    caller: 'user',
  },
  {
    title: 'forbidden lists of another module in several records',
    query: `{ teams(filter: { tournamentId: { eq: "t1" } }, ${byId}) { nodes { id playerTwo { lastName email invoices { totalCount } providerRequests { totalCount } } } } }`,
    caller: 'user',
  },
  {
    title: 'a forbidden list of one record at two paths',
    query: `{ teams(filter: { tournamentId: { eq: "t1" } }, ${byId}) { nodes { id playerOne { lastName providerRequests { totalCount } } } } }`,
    caller: 'user',
  },
  {
    title: 'forbidden root fields and fields among permitted ones',
    query: `{ discountCodes { totalCount } platforms { totalCount } tournaments(${open}) { nodes { id paymentSetups { totalCount } merchantLinks { totalCount } } } clubs(first: 1) { totalCount } }`,
    caller: 'user',
  },
  {
    title: 'invalid page sizes of nested lists of two modules',
    query: `{ tournaments(${open}) { nodes { id rankingPoints(first: 101) { totalCount } teams(first: 101) { totalCount } } } }`,
  },
  {
    title: 'an invalid literal',
    isRejected: true,
    query: '{ tournaments(filter: { startsAt: { gte: "yesterday" } }) { totalCount } }',
  },
  {
    title: 'invalid variables',
    isRejected: true,
    query: 'query Q($f: TournamentFilter) { tournaments(filter: $f) { totalCount } }',
    variables: { f: { startsAt: { gte: 'yesterday' }, colour: 1 } },
  },
  { title: 'a missing variable', isRejected: true, query: 'query Q($id: ID!) { tournament(id: $id) { id } }' },
  { title: 'an unknown field', isRejected: true, query: '{ tournaments { nodes { colour } } }' },
  {
    title: 'one of two operations',
    query: 'query A { tournaments { totalCount } } query B { clubs(first: 1) { totalCount } }',
    operationName: 'B',
  },
  {
    title: 'two operations without an operation name',
    isRejected: true,
    query: 'query A { tournaments { totalCount } } query B { clubs { totalCount } }',
  },
  {
    title: 'an unknown operation name',
    isRejected: true,
    query: 'query A { tournaments { totalCount } }',
    operationName: 'C',
  },
  { title: 'a subscription', isRejected: true, query: 'subscription { tournaments { totalCount } }' },
  {
    title: 'records that do not exist',
    query:
      '{ a: tournament(id: "none") { id club { title } } b: user(id: "none") { teams { totalCount } } c: clubs(filter: { id: { eq: "none" } }) { nodes { id tournaments { totalCount } } totalCount } d: team(id: "m3") { playerTwoId playerTwo { lastName rankings(divisions: [MENS_SINGLES]) { rank } } } }',
  },
  {
    title: 'nested relations between two modules',
    query: `{ tournaments(${open}) { nodes { club { tournaments(first: 2, ${byId}) { nodes { club { title tournaments(first: 1) { totalCount } } teams(first: 1, ${byId}) { nodes { playerOne { teamsAsPlayerOne(first: 1, ${byId}) { nodes { tournament { club { title } } } } } } } } } } } } }`,
  },
  {
    title: 'news with its reactions',
    query: `{ news(first: 5, ${byId}) { nodes { title reactionCounts { kind count } viewerReaction { kind user { lastName } } categories { title } author { lastName } reactions(first: 2) { totalCount nodes { kind user { firstName } } } } } }`,
    caller: 'user',
  },
  {
    title: 'introspection',
    query:
      '{ __schema { queryType { name } directives { name } } __type(name: "Tournament") { interfaces { name } fields { name description type { name kind ofType { name kind } } args { name defaultValue } } } }',
  },
  {
    title: 'introspection fields next to data',
    query: '{ __type(name: "Club") { name description } clubs(first: 1) { totalCount } }',
  },
  {
    title: 'an operation above the cost limit',
    isRejected: true,
    query: '{ tournaments(first: 100) { nodes { teams(first: 100) { nodes { registrations(first: 100) { nodes { id } } } } } } }',
  },
  {
    title: 'an operation above the depth limit',
    isRejected: true,
    query: `{ clubs { nodes { ${'tournaments { nodes { club { '.repeat(5)} id ${'} } }'.repeat(5)} } } }`,
  },
  {
    title: 'mutations of several modules in order',
    query:
      'mutation { a: upsertTournament(input: { id: "%-1", title: "One" }) { id title version club { title } } b: updateTournament(id: "%-1", input: { title: "Two" }) { title version } c: upsertClub(input: { id: "%-c", title: "Club" }) { id } d: updateTournament(id: "%-1", input: { clubId: "%-c" }) { title club { title tournaments { totalCount } } isViewerFavorite rankingPoints { totalCount } } e: upsertLeague(input: { id: "%-l", title: "L", clubId: "%-c" }) { club { title leagues { totalCount } } isViewerFavorite } }',
  },
  {
    title: 'a mutation that fails between two others',
    query:
      'mutation { a: upsertTournament(input: { id: "%-2", title: "One" }) { id } b: updateTournament(id: "none", input: { title: "Two" }) { title } c: updateTournament(id: "%-2", input: { title: "Three" }) { title isViewerFavorite } }',
  },
  {
    title: 'an input with several problems',
    query: 'mutation M($i: TournamentInput!) { upsertTournament(input: $i) { id } }',
    variables: { i: { id: '%-x', location: { latitude: 91 }, title: 'x'.repeat(10_001) } },
  },
  {
    title: 'a rejected login',
    query: 'mutation { login(input: { email: "nobody@example.com", password: "wrong" }) { token user { firstName } } }',
  },
  {
    title: 'a mutation that deletes a record and selects fields of other modules',
    query:
      'mutation { upsertTournament(input: { id: "%-3", title: "Gone" }) { id } deleteTournament(id: "%-3") { id title teams { totalCount } discountCodes { totalCount } isViewerFavorite } }',
  },
];
