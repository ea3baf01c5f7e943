import type { LegacyRecord } from '../bind/binding.js';
import { type Codecs, schemaRef } from '../bind/codec.js';
import type { Data, JsonSchema } from '../bind/json.js';
import { decimalText } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';

/** A response. It has no body for 204 and 304. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** Text of the body in pieces, for streamed lists. */
  readonly chunks?: AsyncIterable<string>;
  /** Encoded body. */
  readonly bytes?: Buffer;
  /** Body as text. */
  readonly text?: string;
  /** ETag. Clients that have the same one get a 304. */
  readonly etag?: string;
  /** Whether the response is for one caller, and therefore sent without the cache headers of shared responses. */
  readonly isForOneCaller?: true;
}

/** Creates the response from the root field of the operation. */
export interface Reply {
  readonly status: number;
  /** Record whose fragment the operation must use. */
  readonly record?: LegacyRecord;
  /** Format of a list. Then the root field is a connection or a list. */
  readonly list?: Envelope;
  /** Whether the response is a custom one. */
  readonly custom?: true;
  /** Whether a null result has a response. Otherwise it results in 404. */
  readonly answersNull?: true;
  compile(codecs: Codecs): (root: unknown, request: LegacyRequest) => Answer;
  /** Schema of the body. Null without a body. */
  readonly schema: JsonSchema | null;
}

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** Response `{ [key]: record }`. */
export const under = (key: string, record: LegacyRecord): Reply => ({
  status: 200,
  record,
  compile(codecs) {
    const { encode } = codecs.of(record);
    return (root) => ({ status: 200, body: { [key]: encode(root as Data) } });
  },
  schema: object({ [key]: schemaRef(record, 'out') }),
});

/** Response `{ result: record }`. */
export const result = (record: LegacyRecord): Reply => under('result', record);

/** Response `{ payload: record }`. */
export const payloadOf = (record: LegacyRecord): Reply => under('payload', record);

/** Response with the record itself. */
export const bare = (record: LegacyRecord): Reply => ({
  status: 200,
  record,
  compile(codecs) {
    const { encode } = codecs.of(record);
    return (root) => ({ status: 200, body: encode(root as Data) });
  },
  schema: schemaRef(record, 'out'),
});

/** Response 200 with `{}` (decision 2). */
export const empty: Reply = { status: 200, compile: () => () => ({ status: 200, body: {} }), schema: object({}) };

/** Response 204 without a body. */
export const noContent: Reply = { status: 204, compile: () => () => ({ status: 204 }), schema: null };

/** The same response with the status 201. */
export const created = (reply: Reply): Reply => ({
  ...reply,
  status: 201,
  compile(codecs) {
    const createAnswer = reply.compile(codecs);
    return (root, request) => ({ ...createAnswer(root, request), status: 201 });
  },
});

/** Functions for custom responses. */
export interface CustomContext {
  readonly request: LegacyRequest;
  /** Converts a GraphQL object to a legacy record. */
  encode(record: LegacyRecord, data: Data): Data;
}

export interface CustomOptions {
  /** Whether `make` handles null. Otherwise null results in 404. */
  readonly answersNull?: true;
  readonly status?: number;
  readonly schema?: JsonSchema;
}

/**
 * A custom response from the root field of the operation, or from all root fields by name if there are several. Without `body`, the response has
 * no body.
 */
export const custom = <Root = Data>(
  createContent: (root: Root, context: CustomContext) => { readonly status?: number; readonly body?: unknown },
  { answersNull, status = 200, schema = {} }: CustomOptions = {},
): Reply => ({
  status,
  custom: true,
  answersNull,
  compile: (codecs) => (root, request) => ({
    status,
    ...createContent(root as Root, { request, encode: (record, data) => codecs.of(record).encode(data) }),
  }),
  schema,
});

export interface EnvelopeOptions {
  /** Key of the total. Null for lists without a total. */
  readonly total: 'total_records' | 'totalRecords' | (string & {}) | null;
  /** Key of the array. Default: `results`. */
  readonly items?: string;
  /** Whether the total is a number. Default: decimal text. */
  readonly asNumber?: boolean;
  /** Page size of internal requests if all rows are returned. Default: 100. */
  readonly internalPageSize?: number;
  /** Further keys after the array, from other fields of the connection. */
  readonly extraKeys?: (connection: Data) => Data;
  /** Schemas of all further keys. */
  readonly extraSchemas?: Readonly<Record<string, JsonSchema>>;
}

/** Format of a list, and functions that write it. */
export interface Envelope extends EnvelopeOptions {
  readonly record: LegacyRecord;
  readonly items: string;
}

/** Result of a list's root field: a connection or a plain list. */
export interface Rows {
  readonly nodes: readonly Data[];
  readonly total: number;
  readonly connection: Data;
}

/** Rows and total of a list's root field. */
export const rowsOf = (root: unknown): Rows => {
  if (Array.isArray(root)) return { nodes: root, total: root.length, connection: {} };
  const connection = root as Data;
  const nodes = connection.nodes as readonly Data[];
  return { nodes, total: Number(connection.totalCount ?? nodes.length), connection };
};

/** Keys before the array. */
export const headOf = ({ total, asNumber }: Envelope, rows: Rows): Data =>
  total === null ? {} : { [total]: asNumber ? rows.total : decimalText(rows.total) };

/** Response `{ total_records: "3", results: [record, …] }` for a connection `{ totalCount nodes { ...Record } }` or a plain list. */
export const list = (record: LegacyRecord, options: EnvelopeOptions): Reply => {
  const envelope: Envelope = { items: 'results', ...options, record };
  const { total, items, asNumber, extraKeys, extraSchemas = {} } = envelope;
  return {
    status: 200,
    record,
    list: envelope,
    compile(codecs) {
      const { encode } = codecs.of(record);
      return (root) => {
        const rows = rowsOf(root);
        return {
          status: 200,
          body: { ...headOf(envelope, rows), [items]: rows.nodes.map(encode), ...extraKeys?.(rows.connection) },
        };
      };
    },
    schema: object({
      ...(total === null ? {} : { [total]: { type: asNumber ? 'number' : 'string' } }),
      [items]: { type: 'array', items: schemaRef(record, 'out') },
      ...extraSchemas,
    }),
  };
};
