import { mayReport } from '../../../src/gateway/run.js';
import type { Codec, LegacyRecord, Reading } from '../bind/binding.js';
import type { Data } from '../bind/json.js';
import { expected, joinedPath, named, Readings } from '../bind/mismatch.js';
import { type Args, compileArgs, type LegacyRequest, parametersOf, type Reader } from './reader.js';
import { bodyFields, payloadFields, query, splitAtCommas } from './sources.js';

export interface PayloadOptions {
  /** Whether missing fields keep their values. Otherwise they get their defaults. */
  readonly patch?: boolean;
  /** Whether the path identifies the record. Then an ID in the body is ignored. */
  readonly byPath?: boolean;
  /** Values from other sources that take precedence over the body, such as `set: { uuid: path('uuid') }`. */
  readonly set?: Args;
}

const inQuery = query.list('fieldsToOmit');

/** Names of fields that keep their values, from query and body (decision 3). */
function omitted(fromQuery: readonly string[] | undefined, { fieldsToOmit: sent }: Data): ReadonlySet<string> | undefined {
  if (sent === undefined || sent === null) return fromQuery && new Set(fromQuery);
  const fromBody = typeof sent === 'string' ? splitAtCommas(sent) : sent;
  if (!Array.isArray(fromBody) || fromBody.some((name) => typeof name !== 'string'))
    named('fieldsToOmit', () => expected('an array of strings'));
  return new Set([...(fromQuery ?? []), ...(fromBody as string[])]);
}

function recordReader(record: LegacyRecord, wrapped: boolean, { patch, byPath, set = {} }: PayloadOptions): Reader<Data> {
  const label = wrapped ? 'payload' : '';
  const decoded = (codec: Codec, sent: unknown, reading: Reading) =>
    named(label, () => codec.decode(sent, { ...reading, patch }));
  return {
    parameters: [...inQuery.parameters, ...parametersOf(set)],
    body: { record, wrapped },
    names: (codecs) => new Map([...codecs.of(record).names].map(([graph, legacy]) => [graph, joinedPath(label, legacy)])),
    compile(codecs) {
      const codec = codecs.of(record);
      if (codec.taken.problem) throw new Error(codec.taken.problem);
      const readQuery = inQuery.compile(codecs);
      const readSet = compileArgs(set, codecs);
      return (request: LegacyRequest) => {
        const readings = new Readings();
        const omit = readings.try(() => omitted(readQuery(request), request.body));
        const forced = readings.try(() => readSet(request));
        const sent = wrapped ? (request.body.payload ?? null) : request.body;
        const reading = { omit, reports: mayReport(request.caller), set: forced };
        const input = readings.try(() => decoded(codec, sent, reading)) ?? {};
        if (byPath) delete input.id;
        readings.check(input);
        return input;
      };
    },
  };
}

/**
 * `payload(record)` reads the record in `payload` as GraphQL input, with fieldsToOmit of body and query. Functions such as
 * `payload.text('message_text')` read single fields of a payload that is not a record.
 */
export const payload = Object.assign(
  (record: LegacyRecord, options: PayloadOptions = {}): Reader<Data> => recordReader(record, true, options),
  payloadFields,
);

/** `body(record)` reads a body that is the record itself. Functions such as `body.text('module_for')` read single fields. */
export const body = Object.assign(
  (record: LegacyRecord, options: PayloadOptions = {}): Reader<Data> => recordReader(record, false, options),
  bodyFields,
);
