import { expect, test } from 'vitest';
import { KnownTokens } from '../../src/modules/accounts/known-tokens.js';

test('a token is looked up once while it is believed, and again when it was forgotten', async () => {
  const asked: string[] = [];
  const known = new KnownTokens(async (token) => {
    asked.push(token);
    return token === 'unknown' ? null : { token };
  });
  const found = [await known.of('a'), await known.of('a'), await known.of('unknown'), await known.of('unknown')];
  known.forget();
  found.push(await known.of('a'));
  expect([found, asked]).toEqual([
    [{ token: 'a' }, { token: 'a' }, null, null, { token: 'a' }],
    ['a', 'unknown', 'unknown', 'a'],
  ]);
});

test('what was being looked up while a token was revoked is not believed', async () => {
  const answers = [{ alive: true }, null];
  let arrive = () => {};
  const onItsWay = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const known = new KnownTokens(async () => {
    const answer = answers.shift() ?? null;
    if (answer) await onItsWay;
    return answer;
  });
  const first = known.of('token');
  known.forget();
  arrive();
  expect([await first, await known.of('token')]).toEqual([{ alive: true }, null]);
});
