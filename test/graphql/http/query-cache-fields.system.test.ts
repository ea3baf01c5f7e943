import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type GraphQLField, type GraphQLOutputType, getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { graphOfModules } from '../../../src/graphql/graph.js';
import { findRecord, metaOf } from '../../../src/kernel/declare/meta.js';
import type { Person, TestApp } from '../../support/servers/app.js';
import { startSeason } from '../../support/servers/season.js';

/** Message on the channel `courtside:poll`, published when a query of a cacheable request has run. */
interface Evaluation {
  readonly records: ReadonlySet<string>;
  readonly uncoveredDependency: string | null;
}

/** Timeout that is long enough for a busy machine. */
const waitOptions = { timeout: 15_000 };

let app: TestApp;
let admin: Person;
const evaluations: Evaluation[] = [];
const recordEvaluation = (message: unknown) => void evaluations.push(message as Evaluation);
beforeAll(async () => {
  app = await startSeason({ RESPONSE_CACHE_MB: '16' });
  admin = await app.person({ isSuperAdmin: true });
  subscribe('courtside:poll', recordEvaluation);
  const { freshness } = app.resources.services.changes;
  freshness.follow();
  await vi.waitUntil(() => freshness.moment, waitOptions);
});
afterAll(async () => {
  unsubscribe('courtside:poll', recordEvaluation);
  await app.close();
});

type Field = GraphQLField<unknown, unknown>;
const hasRequiredArguments = ({ args }: Field) =>
  args.some(({ type, defaultValue }) => isNonNullType(type) && defaultValue === undefined);

/** Fields that depend on the address of the service, or on writes that are not logged. */
const omittedFields = ['csvUrl', 'icsUrl', 'todsUrl', 'calendarUrl', 'updatedAt'];

/** Selects all leaf fields of a type and of its nested objects, up to a maximum depth. */
function selectionOf(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  if (!isObjectType(named)) return '{ __typename }';
  const fields = Object.values(named.getFields()).filter(
    (field) => !hasRequiredArguments(field) && !field.deprecationReason && !omittedFields.includes(field.name),
  );
  const selected = fields.flatMap((field) => {
    if (isLeafType(getNamedType(field.type))) return [field.name];
    return depth > 0 ? [`${field.name} ${selectionOf(field.type, depth - 1)}`] : [];
  });
  return selected.length > 0 ? `{ ${selected.join(' ')} }` : '{ __typename }';
}

const queryFields = Object.values(graphOfModules().getQueryType()?.getFields() ?? {});
const isConnection = ({ type }: Field) => getNamedType(type).name.endsWith('Connection');

/** Queries keyed by the name of their field. */
const queries = queryFields
  .filter((field) => !hasRequiredArguments(field))
  .map((field) => {
    const argument = isConnection(field) && field.args.some(({ name }) => name === 'first') ? '(first: 2)' : '';
    return [field.name, `{ ${field.name}${argument} ${selectionOf(field.type, isConnection(field) ? 1 : 2)} }`] as const;
  });

async function send(query: string) {
  const evaluationsBefore = evaluations.length;
  const { status, body } = await app.rest('POST', '/graphql', { ...app.platform, user: admin.user }, { query });
  return { answer: { status, body }, evaluation: evaluations.length > evaluationsBefore ? evaluations.at(-1) : null };
}

/** Logs a change of a record. */
const logChange = (record: string) => {
  const cls = findRecord(record);
  if (!cls) throw new Error(`there is no record ${record}`);
  return app.sql.rows(`insert into change (record, id, kind, columns, refs) values ($1, 'none', '~', '{}', '{}')`, [
    metaOf(cls).name,
  ]);
};

const fieldsByReason: Record<string, string[]> = {};

test.for(queries)('a repeated query of %s runs again only after a change to one of its records', async ([name, query]) => {
  const first = await send(query);
  expect(first.answer.body.errors).toBeUndefined();
  const evaluation = first.evaluation ?? evaluations.at(-1);
  if (!evaluation || evaluation.uncoveredDependency !== null) {
    const reason = evaluation?.uncoveredDependency ?? 'none';
    fieldsByReason[reason] = [...(fieldsByReason[reason] ?? []), name];
    expect((await send(query)).evaluation).toBeTruthy();
    return;
  }
  const cached = await vi.waitUntil(async () => {
    const response = await send(query);
    return response.evaluation ? null : response;
  }, waitOptions);
  expect(cached.answer).toEqual(first.answer);
  for (const record of evaluation.records) {
    await logChange(record);
    expect({ record, isRepeated: (await send(query)).evaluation !== null }).toEqual({ record, isRepeated: true });
    await vi.waitUntil(async () => !(await send(query)).evaluation, waitOptions);
  }
});

test('queries that depend on more than rows always run', () => {
  expect(fieldsByReason).toMatchInlineSnapshot(`
    {
      "audit_entry": [
        "auditEntries",
      ],
      "now": [
        "news",
      ],
      "the header authorization": [
        "sessions",
      ],
      "the service changes": [
        "liveCursor",
      ],
      "the service failedJobs": [
        "failedJobs",
      ],
      "the service failedMessages": [
        "failedMessages",
      ],
      "the service health": [
        "serviceHealth",
      ],
      "the time": [
        "viewer",
        "tournaments",
        "rankings",
        "notificationSettings",
        "platformUsage",
      ],
      "updated_at": [
        "rankingStats",
      ],
      "webhook_delivery": [
        "webhookDeliveries",
      ],
    }
  `);
});
