import { mayReport } from '../../../src/gateway/run.js';
import type { Codec, LegacyRecord, Reading } from '../bind/binding.js';
import type { Data } from '../bind/json.js';
import { expected, joinedPath, named, Readings } from '../bind/mismatch.js';
import { type Args, compileArgs, type LegacyRequest, parametersOf, type Reader } from './reader.js';
import { bodyFields, payloadFields, query, splitAtCommas } from './sources.js';

export interface PayloadOptions {
  /** Absent fields keep their values instead of being set to their defaults. */
  readonly patch?: boolean;
  /** The path says which record is meant: an id beside it does not count. */
  readonly byPath?: boolean;
  /** Legacy fields that come from elsewhere and win over what was sent: `set: { uuid: path('uuid') }`. */
  readonly set?: Args;
}

const inQuery = query.list('fieldsToOmit');

/** The names to leave alone, from query and body together (decision 3). */
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
 * `payload(record)` is the record under `payload` as the graph's input; it honours fieldsToOmit of body and query.
 * `payload.text('message_text')` and its siblings are single fields of a payload that is no record.
 */
export const payload = Object.assign(
  (record: LegacyRecord, options: PayloadOptions = {}): Reader<Data> => recordReader(record, true, options),
  payloadFields,
);

/** `body(record)` is the record that the unwrapped body is; `body.text('module_for')` and its siblings are single fields of it. */
export const body = Object.assign(
  (record: LegacyRecord, options: PayloadOptions = {}): Reader<Data> => recordReader(record, false, options),
  bodyFields,
);
