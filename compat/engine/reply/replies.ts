import type { Codec, LegacyRecord } from '../bind/binding.js';
import { type Codecs, schemaRef } from '../bind/codec.js';
import type { Data, JsonSchema } from '../bind/json.js';
import { decimalText } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';

/** A response with at most one of `body`, `chunks`, `bytes` and `text`. Responses with the status 204 or 304 have no body. */
export interface LegacyResponse {
  readonly status: number;
  /** JSON value of the body. */
  readonly body?: unknown;
  /** JSON text of the body in pieces, for streamed lists. */
  readonly chunks?: AsyncIterable<string>;
  /** JSON text of the body in UTF-8. */
  readonly bytes?: Buffer;
  /** JSON text of the body. */
  readonly text?: string;
  /** ETag of the response. Clients that send it in `If-None-Match` receive 304. */
  readonly etag?: string;
  /** Whether the ETag is valid for one caller only. If so, the response has no headers for shared caches. */
  readonly isForOneCaller?: true;
}

/** Format of a response. The response is created from the root field of a GraphQL operation. */
export interface Reply {
  readonly status: number;
  /** Record in the response. The operation must spread its fragment. */
  readonly record?: LegacyRecord;
  /** Format of a list. The root field must be a connection or a list. */
  readonly list?: Envelope;
  /** Whether a custom function creates the response. */
  readonly isCustom?: true;
  /** Whether null is a valid result. Default: false, so null results in 404. */
  readonly handlesNull?: true;
  compile(codecs: Codecs): (root: unknown, request: LegacyRequest) => LegacyResponse;
  /** JSON Schema of the body. Null if the response has no body. */
  readonly schema: JsonSchema | null;
}

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

function recordReply(record: LegacyRecord, bodyOf: (encoded: Data) => Data, schema: JsonSchema): Reply {
  const compile: Reply['compile'] = (codecs) => {
    const { encode } = codecs.get(record);
    return (root) => ({ status: 200, body: bodyOf(encode(root as Data)) });
  };
  return { status: 200, record, compile, schema };
}

/** Response `{ [key]: record }`. */
export const recordUnder = (key: string, record: LegacyRecord): Reply =>
  recordReply(record, (encoded) => ({ [key]: encoded }), object({ [key]: schemaRef(record, 'response') }));

/** Response `{ result: record }`. */
export const result = (record: LegacyRecord): Reply => recordUnder('result', record);

/** Response `{ payload: record }`. */
export const payloadOf = (record: LegacyRecord): Reply => recordUnder('payload', record);

/** Response that is the record itself. */
export const bareRecord = (record: LegacyRecord): Reply =>
  recordReply(record, (encoded) => encoded, schemaRef(record, 'response'));

/** Response 200 with `{}` (decision 2). */
export const empty: Reply = { status: 200, compile: () => () => ({ status: 200, body: {} }), schema: object({}) };

/** Response 204 without a body. */
export const noContent: Reply = { status: 204, compile: () => () => ({ status: 204 }), schema: null };

/** Changes the status of a reply to 201. */
export const created = (reply: Reply): Reply => ({
  ...reply,
  status: 201,
  compile(codecs) {
    const createResponse = reply.compile(codecs);
    return (root, request) => ({ ...createResponse(root, request), status: 201 });
  },
});

/** Context of the function that creates a custom response. */
export interface CustomContext {
  readonly request: LegacyRequest;
  /** Converts a GraphQL object to a legacy record. */
  encode(record: LegacyRecord, data: Data): Data;
}

export interface CustomOptions {
  /** Whether `createContent` accepts null. Default: false, so null results in 404. */
  readonly handlesNull?: true;
  readonly schema?: JsonSchema;
}

/**
 * Response that a function creates from the root field of the operation. If there are several root fields, the function receives all of
 * them, keyed by name. If the function returns no body, the response has no body.
 */
export const custom = <Root = Data>(
  createContent: (root: Root, context: CustomContext) => { readonly status?: number; readonly body?: unknown },
  { handlesNull, schema = {} }: CustomOptions = {},
): Reply => ({
  status: 200,
  isCustom: true,
  handlesNull,
  compile: (codecs) => (root, request) => ({
    status: 200,
    ...createContent(root as Root, { request, encode: (record, data) => codecs.get(record).encode(data) }),
  }),
  schema,
});

export interface EnvelopeOptions {
  /** Key of the total number of records. Null for lists without a total. */
  readonly total: 'total_records' | 'totalRecords' | (string & {}) | null;
  /** Key of the array. Default: `results`. */
  readonly items?: string;
  /** Whether the total is a number. Default: false, for decimal text. */
  readonly isTotalNumber?: boolean;
  /** Returns additional keys, computed from the connection. They follow the array. */
  readonly extraKeys?: (connection: Data) => Data;
  /** JSON Schemas of the additional keys. */
  readonly extraSchemas?: Readonly<Record<string, JsonSchema>>;
}

/** Format of a list response: its keys, and the record of its items. */
export interface Envelope extends EnvelopeOptions {
  readonly record: LegacyRecord;
  readonly items: string;
}

/** Rows of a list and their total number. `connection` is empty for a root field that is not a connection. */
export interface Rows {
  readonly nodes: readonly Data[];
  readonly total: number;
  readonly connection: Data;
}

/** Returns the rows and their total number, from a root field that is a connection or a list. */
export const rowsOf = (root: unknown): Rows => {
  if (Array.isArray(root)) return { nodes: root, total: root.length, connection: {} };
  const connection = root as Data;
  const nodes = connection.nodes as readonly Data[];
  return { nodes, total: Number(connection.totalCount ?? nodes.length), connection };
};

/** Returns the keys that precede the array. */
export const envelopeHead = ({ total, isTotalNumber }: Envelope, rows: Rows): Data =>
  total === null ? {} : { [total]: isTotalNumber ? rows.total : decimalText(rows.total) };

/** Returns the body of a list. */
export const listBody = (envelope: Envelope, rows: Rows, encode: Codec['encode']): Data => ({
  ...envelopeHead(envelope, rows),
  [envelope.items]: rows.nodes.map(encode),
  ...envelope.extraKeys?.(rows.connection),
});

/** Response `{ total_records: "3", results: [record, …] }` from a connection `{ totalCount nodes { ...Record } }` or a list. */
export const list = (record: LegacyRecord, options: EnvelopeOptions): Reply => {
  const envelope: Envelope = { items: 'results', ...options, record };
  const { total, items, isTotalNumber, extraSchemas = {} } = envelope;
  return {
    status: 200,
    record,
    list: envelope,
    compile(codecs) {
      const { encode } = codecs.get(record);
      return (root) => ({ status: 200, body: listBody(envelope, rowsOf(root), encode) });
    },
    schema: object({
      ...(total === null ? {} : { [total]: { type: isTotalNumber ? 'number' : 'string' } }),
      [items]: { type: 'array', items: schemaRef(record, 'response') },
      ...extraSchemas,
    }),
  };
};
