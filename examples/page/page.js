import { createGraphQLClient, GraphQLRequestError, graphql, NetworkError } from '/sdk/index.js';

// The source of a page is public. Therefore, it contains a publishable key instead of a platform token.
// By default, the page uses the demo data on this machine. For another service: /?service=https://api.example.com&key=pk_…
const parameters = new URLSearchParams(location.search);
const origin = parameters.get('service') ?? 'http://localhost:4000';
const publishableKey = parameters.get('key') ?? 'pk_demo-publishable-key';
let token = null;
const graph = createGraphQLClient({ origin, publishableKey, userToken: () => token });

const Login = graphql('mutation Login($input: LoginInput!) { login(input: $input) { token user { firstName } } }');

const Entry = graphql(`fragment Entry on TournamentEvent {
  id
  title
  isViewerRegistered
  format { needsPartner }
  teams { totalCount }
}`);

const Near = graphql(
  `query Near($near: Near!) {
    tournaments(first: 5, filter: { near: $near, isRegistering: true }, orderBy: [{ field: DISTANCE }]) {
      totalCount
      nodes { id title distance startsAt location { city } events(first: 10) { nodes { ...Entry } } }
    }
  }`,
  [Entry],
);

const RegisterTeam = graphql(
  'mutation Enter($input: RegisterTeamInput!) { registerTeam(input: $input) { id event { ...Entry } } }',
  [Entry],
);

const Counts = graphql(`query Counts {
  playing: tournaments(filter: { isPlaying: true }) { totalCount }
  registering: tournaments(filter: { isRegistering: true }) { totalCount }
  teams { totalCount }
}`);

const byId = (id) => document.getElementById(id);
const showStatus = (text) => {
  byId('status').textContent = text;
};

/** Returns an error message for the user. Rethrows errors that do not come from the service. */
function messageOf(error) {
  if (error instanceof NetworkError) return 'The service does not respond. Please try again.';
  if (!(error instanceof GraphQLRequestError)) throw error;
  if (error.code === 'INVALID_CREDENTIALS') return 'The password is wrong.';
  if (error.code === 'RATE_LIMITED') return `Please wait for ${error.retryAfter} seconds.`;
  if (!token && error.code === 'UNAUTHENTICATED') return 'Please sign in first.';
  return error.message;
}

/** Wraps an event handler, and shows its errors on the page. */
const showingErrors = (handle) => async (event) => {
  event?.preventDefault();
  try {
    await handle(event);
  } catch (error) {
    showStatus(messageOf(error));
  }
};

function element(name, text, ...children) {
  const node = document.createElement(name);
  node.append(text, ...children);
  return node;
}

function eventItem({ id, title, format, teams, isViewerRegistered }) {
  const item = element('li', `${title}, ${teams?.totalCount ?? 0} teams `);
  if (isViewerRegistered) {
    item.append('– you are registered');
    return item;
  }
  const form = element('form', '');
  const needsPartner = format?.needsPartner ?? false;
  if (needsPartner) {
    const input = document.createElement('input');
    Object.assign(input, { name: 'partnerEmail', type: 'email', required: true });
    form.append(element('label', 'Email address of your partner', input));
  }
  const button = element('button', 'Register');
  button.setAttribute('aria-label', `Register for ${title}`);
  form.append(button);
  form.addEventListener(
    'submit',
    showingErrors(async () => {
      const partner = needsPartner ? { partnerEmail: form.elements.namedItem('partnerEmail').value } : {};
      const { registerTeam } = await graph.run(RegisterTeam, { input: { eventId: id, ...partner } });
      item.replaceWith(eventItem(registerTeam.event));
      showStatus(`You are registered for ${title}.`);
      await updateCounts();
    }),
  );
  item.append(form);
  return item;
}

function tournamentItem({ title, distance, startsAt, location, events }) {
  const day = startsAt ? new Date(startsAt).toLocaleDateString() : 'an unknown date';
  const summary = `${title}, ${location.city ?? ''}, ${Math.round(distance ?? 0)} km away, from ${day}`;
  return element('li', element('strong', summary), element('ul', '', ...(events?.nodes ?? []).map(eventItem)));
}

async function search() {
  const values = new FormData(byId('search'));
  const near = {
    latitude: Number(values.get('latitude')),
    longitude: Number(values.get('longitude')),
    distance: Number(values.get('distance')),
  };
  const { tournaments } = await graph.run(Near, { near });
  byId('results').replaceChildren(...tournaments.nodes.map(tournamentItem));
  showStatus(`${tournaments.totalCount} tournaments with open registration.`);
}

async function signIn() {
  const { email, password } = Object.fromEntries(new FormData(byId('sign-in')));
  const { login } = await graph.run(Login, { input: { email, password } });
  token = login.token;
  byId('sign-in').replaceWith(element('p', `You are signed in as ${login.user.firstName}.`));
  await search();
}

async function updateCounts() {
  const { playing, registering, teams } = await graph.run(Counts);
  byId('counts').textContent =
    `${playing.totalCount} tournaments in progress, ${registering.totalCount} with open registration, ${teams.totalCount} teams.`;
}

byId('search').addEventListener('submit', showingErrors(search));
byId('sign-in').addEventListener('submit', showingErrors(signIn));

// Polls the counts every five seconds. A hidden page sends no requests.
async function pollCounts() {
  if (!document.hidden) await showingErrors(updateCounts)();
  setTimeout(pollCounts, 5000);
}
pollCounts();
