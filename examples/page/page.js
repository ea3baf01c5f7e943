import { GraphError, graphClient, graphql, NoAnswer } from '/sdk/index.js';

// A page shows its source to everybody: it carries a publishable key, and the token of whoever signs in. This one is told in its address
// of another service than the demo season on this machine: /?service=https://api.example.com&key=pk_…
const asked = new URLSearchParams(location.search);
const origin = asked.get('service') ?? 'http://localhost:4000';
const publishableKey = asked.get('key') ?? 'pk_demo-publishable-key';
let token = null;
const graph = graphClient({ origin, publishableKey, userToken: () => token });

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

const Enter = graphql('mutation Enter($input: RegisterTeamInput!) { registerTeam(input: $input) { id event { ...Entry } } }', [
  Entry,
]);

const Counts = graphql(`query Counts {
  playing: tournaments(filter: { isPlaying: true }) { totalCount }
  registering: tournaments(filter: { isRegistering: true }) { totalCount }
  teams { totalCount }
}`);

const byId = (id) => document.getElementById(id);
const say = (text) => {
  byId('said').textContent = text;
};

/** What went wrong, in words for people: what the service refuses says why. */
function wordsOf(error) {
  if (error instanceof NoAnswer) return 'The service does not answer. Please try again.';
  if (!(error instanceof GraphError)) throw error;
  if (error.code === 'INVALID_CREDENTIALS') return 'This is not the right password.';
  if (error.code === 'RATE_LIMITED') return `Please wait for ${error.retryAfter} seconds.`;
  if (!token && error.code === 'UNAUTHENTICATED') return 'Please sign in first.';
  return error.message;
}

/** Does something, and tells what went wrong. */
const trying = (work) => async (event) => {
  event?.preventDefault();
  try {
    await work(event);
  } catch (error) {
    say(wordsOf(error));
  }
};

function element(name, text, ...children) {
  const made = document.createElement(name);
  made.append(text, ...children);
  return made;
}

function eventItem({ id, title, format, teams, isViewerRegistered }) {
  const item = element('li', `${title}, ${teams?.totalCount ?? 0} teams `);
  if (isViewerRegistered) {
    item.append('– you play here');
    return item;
  }
  const form = element('form', '');
  const needsPartner = format?.needsPartner ?? false;
  if (needsPartner) {
    const input = document.createElement('input');
    Object.assign(input, { name: 'partnerEmail', type: 'email', required: true });
    form.append(element('label', 'E-mail address of your partner', input));
  }
  const button = element('button', 'Enter');
  button.setAttribute('aria-label', `Enter ${title}`);
  form.append(button);
  form.addEventListener(
    'submit',
    trying(async () => {
      const partner = needsPartner ? { partnerEmail: form.elements.namedItem('partnerEmail').value } : {};
      const { registerTeam } = await graph.run(Enter, { input: { eventId: id, ...partner } });
      item.replaceWith(eventItem(registerTeam.event));
      say(`You play ${title}.`);
      await count();
    }),
  );
  item.append(form);
  return item;
}

function tournamentItem({ title, distance, startsAt, location: place, events }) {
  const day = startsAt ? new Date(startsAt).toLocaleDateString() : 'some day';
  const about = `${title}, ${place.city ?? ''}, ${Math.round(distance ?? 0)} km away, from ${day}`;
  return element('li', element('strong', about), element('ul', '', ...(events?.nodes ?? []).map(eventItem)));
}

async function search() {
  const values = new FormData(byId('search'));
  const near = {
    latitude: Number(values.get('latitude')),
    longitude: Number(values.get('longitude')),
    distance: Number(values.get('distance')),
  };
  const { tournaments } = await graph.run(Near, { near });
  byId('found').replaceChildren(...tournaments.nodes.map(tournamentItem));
  say(`${tournaments.totalCount} tournaments take registrations here.`);
}

async function signIn() {
  const { email, password } = Object.fromEntries(new FormData(byId('sign-in')));
  const { login } = await graph.run(Login, { input: { email, password } });
  token = login.token;
  byId('sign-in').replaceWith(element('p', `You are signed in as ${login.user.firstName}.`));
  await search();
}

async function count() {
  const { playing, registering, teams } = await graph.run(Counts);
  byId('counts').textContent =
    `${playing.totalCount} are being played, ${registering.totalCount} take registrations, ${teams.totalCount} teams have entered.`;
}

byId('search').addEventListener('submit', trying(search));
byId('sign-in').addEventListener('submit', trying(signIn));

// Totals cost the service little. A page that nobody looks at does not ask, and the one that asks waits for its answer first.
async function keepCounting() {
  if (!document.hidden) await trying(count)();
  setTimeout(keepCounting, 5000);
}
keepCounting();
