import { setTimeout as sleep } from 'node:timers/promises';
import { hashPassword } from '../../../src/modules/accounts/passwords/password.js';
import type { Command, Outcome } from './linearizable.js';
import type { Model, Step } from './model.js';
import type { Person, Setting } from './setting.js';

/**
 * Process and batch that revoked a token. This process rejects the token as soon as the response to the revocation has arrived. The other process rejects the
 * token within half a second.
 */
interface Death {
  readonly process: number;
  readonly batch: number;
}

interface Account {
  readonly password: number;
  /** Index of the batch with the last password change. */
  readonly changedIn: number;
  /** Revocations, keyed by token. Null while the token is valid. */
  readonly tokens: Readonly<Record<string, Death | null>>;
}

interface Subject {
  readonly person: Person;
  /** All tokens so far, in the order of their responses. */
  readonly issued: string[];
}

const passwords = ['the first password', 'the second password'];
const firstHash = hashPassword(passwords[0] ?? '');
/**
 * Maximum time for which a process may accept a token that another process has revoked, in milliseconds. Includes a margin for busy
 * machines.
 */
const acceptanceMs = 900;

/** Returns whether a request with a token can be accepted (`in`) and whether it can be rejected (`out`). */
function admissions({ tokens }: Account, token: string, { process, batch }: Step): { in: boolean; out: boolean } {
  const death = tokens[token];
  if (!death) return { in: death === null, out: death === undefined };
  return { in: death.batch === batch || death.process !== process, out: true };
}

const refused = (state: Account): Outcome<Account> => ({ result: 'UNAUTHENTICATED', next: state });
const withToken = (state: Account, token: string): Account => ({ ...state, tokens: { ...state.tokens, [token]: null } });

function withEndedTokens(state: Account, tokens: readonly string[], { process, batch }: Step): Account {
  const dying = tokens.filter((token) => state.tokens[token] === null).map((token) => [token, { process, batch }]);
  return { ...state, tokens: { ...state.tokens, ...Object.fromEntries(dying) } };
}

/** Request of a command, and its possible outcomes in a state. */
interface TokenCommand {
  readonly query: string;
  readonly variables: object;
  /** Whether the request sends the token as its user token. */
  readonly isSignedIn?: true;
  outcomes(state: Account, receivedToken: string): Outcome<Account>[];
}

function tokenCommandOf(step: Step, token: string, { email }: Person): TokenCommand {
  const [password, other] = [step.value % 2, (step.value + 1) % 2];
  const deeds: TokenCommand[] = [
    {
      query: `mutation ($email: String!, $text: String!) { done: login(input: { email: $email, password: $text }) { token } }`,
      variables: { email, text: passwords[password] },
      outcomes(state, receivedToken) {
        const invalidCredentials = { result: 'INVALID_CREDENTIALS', next: state };
        if (state.password !== password) return [invalidCredentials];
        // A concurrent command may change the password during the check, and another command may change it back.
        return [
          { result: 'in', next: withToken(state, receivedToken) },
          ...(state.changedIn === step.batch ? [invalidCredentials] : []),
        ];
      },
    },
    {
      query: '{ viewer { id } }',
      variables: {},
      isSignedIn: true,
      outcomes(state) {
        const entry = admissions(state, token, step);
        return [...(entry.in ? [{ result: 'done', next: state }] : []), ...(entry.out ? [refused(state)] : [])];
      },
    },
    {
      query: 'mutation ($text: String!) { done: revokeToken(token: $text) { endedAt } }',
      variables: { text: token },
      outcomes: (state) => [
        { result: state.tokens[token] === null ? 'ended' : 'nothing', next: withEndedTokens(state, [token], step) },
      ],
    },
    {
      query: `mutation ($text: String!) { done: refreshToken(token: $text) { token } }`,
      variables: { text: token },
      outcomes: (state, receivedToken) =>
        state.tokens[token] === null
          ? [{ result: 'in', next: withToken(withEndedTokens(state, [token], step), receivedToken) }]
          : [refused(state)],
    },
    {
      query: `mutation ($old: String!, $new: String!) { done: changePassword(oldPassword: $old, newPassword: $new) { token } }`,
      variables: { old: passwords[password], new: passwords[other] },
      isSignedIn: true,
      outcomes(state, receivedToken) {
        const entry = admissions(state, token, step);
        const out = entry.out ? [refused(state)] : [];
        if (!entry.in) return out;
        const isOvertaken = state.changedIn === step.batch;
        const conflict = isOvertaken ? [{ result: 'CONFLICT', next: state }] : [];
        if (state.password !== password) return [...out, ...conflict, { result: 'INVALID_CREDENTIALS', next: state }];
        const next = { ...withEndedTokens(state, Object.keys(state.tokens), step), password: other, changedIn: step.batch };
        return [...out, ...conflict, { result: 'in', next: withToken(next, receivedToken) }];
      },
    },
  ];
  return deeds[[0, 0, 1, 1, 1, 2, 3, 4][step.kind] ?? 1] as TokenCommand;
}

function commandOf(setting: Setting, { person, issued }: Subject, step: Step): Command<Account> {
  // The token is selected when the command is sent, because earlier commands must have returned it.
  let deed: TokenCommand | undefined;
  let receivedToken = '';
  return {
    title: `${step.process}: kind ${step.kind} with ${step.value}`,
    async send() {
      const token = issued[step.user % issued.length] ?? '';
      deed = tokenCommandOf(step, token, person);
      const tokens = deed.isSignedIn ? { user: token } : { platform: setting.platform };
      const { data, code } = await setting.send(step.process, deed.query, deed.variables, tokens);
      if (code) return code;
      if (data.done?.token) {
        receivedToken = data.done.token;
        issued.push(receivedToken);
        return 'in';
      }
      return data.done ? (data.done.endedAt ? 'ended' : 'nothing') : data.viewer ? 'done' : 'UNAUTHENTICATED';
    },
    outcomes: (state) => deed?.outcomes(state, receivedToken) ?? [],
  };
}

/**
 * Model of user tokens. A token is valid from the response that returns it to the response that revokes it. A password change revokes all
 * tokens.
 */
export const tokens: Model<Account, Subject> = {
  name: 'tokens',
  kinds: 8,
  async begin(setting) {
    const person = await setting.person({ passwordHash: await firstHash });
    return { subject: { person, issued: [person.user] }, state: { password: 0, changedIn: -1, tokens: { [person.user]: null } } };
  },
  command: commandOf,
  readState: (setting, { person }) => ({
    title: 'living tokens',
    async send() {
      const living = 'select count(*)::int as count from user_token where user_id = $1 and revoked_at is null';
      const [row] = (await setting.rows(living, [person.id])) as { count: number }[];
      return String(row?.count);
    },
    outcomes: (state) => [{ result: String(Object.values(state.tokens).filter((death) => death === null).length), next: state }],
  }),
  // Resets the rate limit, because wrong passwords count toward it for 15 minutes.
  between: async (setting) => void (await setting.rows('delete from rate_limit')),
  async last(setting, { issued }) {
    await sleep(acceptanceMs);
    return issued.flatMap((token) => [0, 1].map((process) => usedLater(setting, token, process)));
  },
};

/** Returns a command that uses a token after all processes know whether it is revoked. */
const usedLater = (setting: Setting, token: string, process: number): Command<Account> => ({
  title: `${process}: a final use of a token`,
  async send() {
    const { data } = await setting.send(process, '{ viewer { id } }', {}, { user: token });
    return data.viewer ? 'done' : 'UNAUTHENTICATED';
  },
  outcomes: (state) => [{ result: state.tokens[token] === null ? 'done' : 'UNAUTHENTICATED', next: state }],
});
