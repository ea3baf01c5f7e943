import { canReportHistory } from '../../../src/graphql/run.js';
import type { Codec, DecodeOptions, LegacyRecord } from '../bind/binding.js';
import { InvalidValues, joinedPath, throwInvalidValue, withParentName } from '../bind/invalid-value-error.js';
import type { Data } from '../bind/json.js';
import { type ArgumentReaders, compileArgs, type LegacyRequest, parametersOf, type Reader } from './reader.js';
import { bodyFields, payloadFields, query, splitAtCommas } from './sources.js';

export interface PayloadOptions {
  /** Whether missing fields keep their values. Default: false, which sets missing fields to their defaults. */
  readonly patch?: boolean;
  /** Whether the path identifies the record. An ID in the body is then ignored. Default: false. */
  readonly hasIdInPath?: boolean;
  /** Readers of values that replace the values in the body, such as `set: { uuid: path('uuid') }`. */
  readonly set?: ArgumentReaders;
}

const fieldsToOmitQuery = query.list('fieldsToOmit');

/**
 * Returns the field names in the parameter `fieldsToOmit`, from both the query and the body (decision 3). Undefined if neither contains the
 * parameter.
 */
function omittedFields(
  fromQuery: readonly string[] | undefined,
  { fieldsToOmit: bodyValue }: Data,
): ReadonlySet<string> | undefined {
  if (bodyValue === undefined || bodyValue === null) return fromQuery && new Set(fromQuery);
  const fromBody = typeof bodyValue === 'string' ? splitAtCommas(bodyValue) : bodyValue;
  if (!Array.isArray(fromBody) || fromBody.some((name) => typeof name !== 'string'))
    withParentName('fieldsToOmit', () => throwInvalidValue('an array of strings'));
  return new Set([...(fromQuery ?? []), ...(fromBody as string[])]);
}

function recordReader(record: LegacyRecord, isWrapped: boolean, { patch, hasIdInPath, set = {} }: PayloadOptions): Reader<Data> {
  const label = isWrapped ? 'payload' : '';
  const decodeRecord = (codec: Codec, value: unknown, decodeOptions: DecodeOptions) =>
    withParentName(label, () => codec.decode(value, { ...decodeOptions, patch }));
  return {
    parameters: [...fieldsToOmitQuery.parameters, ...parametersOf(set)],
    body: { record, isWrapped },
    names: (codecs) => new Map([...codecs.get(record).names].map(([graph, legacy]) => [graph, joinedPath(label, legacy)])),
    compile(codecs) {
      const codec = codecs.get(record);
      if (codec.requestFormat.problem) throw new Error(codec.requestFormat.problem);
      const readQuery = fieldsToOmitQuery.compile(codecs);
      const readSet = compileArgs(set, codecs);
      return (request: LegacyRequest) => {
        const mismatches = new InvalidValues();
        const omit = mismatches.tryRead(() => omittedFields(readQuery(request), request.body));
        const overrides = mismatches.tryRead(() => readSet(request));
        const recordValue = isWrapped ? (request.body.payload ?? null) : request.body;
        const decodeOptions = { omit, canReport: canReportHistory(request.caller), set: overrides };
        const input = mismatches.tryRead(() => decodeRecord(codec, recordValue, decodeOptions)) ?? {};
        if (hasIdInPath) delete input.id;
        mismatches.throwIfAny(input);
        return input;
      };
    },
  };
}

/**
 * `payload(record)` reads the record under the key `payload` of the body, and converts it to GraphQL input. It also reads `fieldsToOmit` in
 * the body and in the query. Functions such as `payload.text('message_text')` read single fields of the payload.
 */
export const payload = Object.assign(
  (record: LegacyRecord, options: PayloadOptions = {}): Reader<Data> => recordReader(record, true, options),
  payloadFields,
);

/**
 * `body(record)` reads a body that is the record itself, without the key `payload`. Functions such as `body.text('module_for')` read single
 * fields.
 */
export const body = Object.assign(
  (record: LegacyRecord, options: PayloadOptions = {}): Reader<Data> => recordReader(record, false, options),
  bodyFields,
);
