import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.js';
import { type Federation, startFederation } from '../support/federation.js';
import { subscribe } from '../support/live.js';

let app: TestApp;
let federation: Federation;
beforeAll(async () => {
  app = await startApp();
  federation = await startFederation(app);
  await app.graphql(
    'mutation { upsertClub(input: { id: "club", title: "Club" }) { id } upsertTournament(input: { id: "cup", title: "Cup", clubId: "club" }) { id } }',
  );
}, 240_000);
afterAll(async () => {
  await federation.stop();
  await app.close();
});
test('x', async () => {
  for (const engine of ['hive', 'hive-js', 'apollo'] as const) {
    const { origin } = new URL(federation.graphql[engine]);
    const stream = await subscribe({ origin }, app.platform, 'subscription { tournament(id: "cup") { kind id cursor at changedFields tournament { title club { id title tournaments { totalCount } } } } }');
    stream.ended.catch((e) => console.log(engine, String(e)));
    await app.graphql('mutation ($t: String) { upsertTournament(input: { id: "cup", title: $t }) { id } }', { t: engine });
    federation.lines.faults = engine === 'hive' ? { leagues: 'gone' } : {};
    await new Promise((r) => setTimeout(r, 500));
    await app.graphql('mutation ($t: String) { upsertTournament(input: { id: "cup", title: $t }) { id } }', { t: `${engine}!` });
    await new Promise((r) => setTimeout(r, 500));
    federation.lines.faults = {};
    await app.graphql('mutation ($t: String) { upsertTournament(input: { id: "cup", title: $t }) { id } }', { t: `${engine}?` });
    await new Promise((r) => setTimeout(r, 500));
    console.log(engine, JSON.stringify(stream.heard, null, 1));
    stream.close();
    for (const query of ['subscription { tournament(id: "none") { id } }', 'subscription { tournament(id: "cup", after: "x") { id } }', 'subscription { tournament(id: "cup") { kin } }'])
    for (const url of [`${app.origin}/graphql`, federation.graphql[engine]]) {
      const r = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'pb-api-token': app.platform.platform }, body: JSON.stringify({ query }) });
      console.log(engine, url, r.status, (await r.text()).replace(/(:\n\n)+/g, ':').slice(0, 500));
    }
  }
}, 60_000);
