import type { LegacyRecord } from '../bind/binding.js';
import { type Codecs, schemaRef } from '../bind/codec.js';
import type { Data, JsonSchema } from '../bind/json.js';
import { decimalText } from '../bind/json.js';
import type { LegacyRequest } from '../request/reader.js';

/** What leaves the service. Without a body there is none, as for 204 and 304. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** The body's text piece by piece, for lists that are too long for one. */
  readonly pieces?: AsyncIterable<string>;
  /** The body as it goes out. */
  readonly bytes?: Buffer;
  /** The same as text. */
  readonly text?: string;
  /** What these bytes are known by: clients that have them need not get them again. */
  readonly etag?: string;
  /** Clients may have them all the same, but what stands between may not keep them: they are for one caller. */
  readonly isUnkept?: true;
}

/** Makes the answer from the operation's root field. */
export interface Reply {
  readonly status: number;
  /** The record whose fragment the operation must spread. */
  readonly record?: LegacyRecord;
  /** How a list is wrapped; then the root field is a connection or a list. */
  readonly list?: Envelope;
  /** It was written by hand. */
  readonly custom?: true;
  /** It also answers for null, which is otherwise a 404. */
  readonly answersNull?: true;
  compile(codecs: Codecs): (root: unknown, request: LegacyRequest) => Answer;
  /** The body; null when there is none. */
  readonly schema: JsonSchema | null;
}

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/** `{ [key]: record }` */
export const under = (key: string, record: LegacyRecord): Reply => ({
  status: 200,
  record,
  compile(codecs) {
    const { encode } = codecs.of(record);
    return (root) => ({ status: 200, body: { [key]: encode(root as Data) } });
  },
  schema: object({ [key]: schemaRef(record, 'out') }),
});

/** `{ result: record }` */
export const result = (record: LegacyRecord): Reply => under('result', record);

/** `{ payload: record }` */
export const payloadOf = (record: LegacyRecord): Reply => under('payload', record);

/** The record itself. */
export const bare = (record: LegacyRecord): Reply => ({
  status: 200,
  record,
  compile(codecs) {
    const { encode } = codecs.of(record);
    return (root) => ({ status: 200, body: encode(root as Data) });
  },
  schema: schemaRef(record, 'out'),
});

/** 200 and `{}` (decision 2). */
export const empty: Reply = { status: 200, compile: () => () => ({ status: 200, body: {} }), schema: object({}) };

/** 204 without a body. */
export const noContent: Reply = { status: 204, compile: () => () => ({ status: 204 }), schema: null };

/** The same answer with 201. */
export const created = (reply: Reply): Reply => ({
  ...reply,
  status: 201,
  compile(codecs) {
    const make = reply.compile(codecs);
    return (root, request) => ({ ...make(root, request), status: 201 });
  },
});

/** What a handwritten answer is made with. */
export interface Hand {
  readonly request: LegacyRequest;
  /** A graph object as a legacy record. */
  encode(record: LegacyRecord, data: Data): Data;
}

export interface CustomOptions {
  /** `make` also answers for null, instead of a 404. */
  readonly answersNull?: true;
  readonly status?: number;
  readonly schema?: JsonSchema;
}

/**
 * The exception: an answer written by hand from the operation's root field, or from all of them by name where there are several.
 * Without `body` none is sent.
 */
export const custom = <Root = Data>(
  make: (root: Root, hand: Hand) => { readonly status?: number; readonly body?: unknown },
  { answersNull, status = 200, schema = {} }: CustomOptions = {},
): Reply => ({
  status,
  custom: true,
  answersNull,
  compile: (codecs) => (root, request) => ({
    status,
    ...make(root as Root, { request, encode: (record, data) => codecs.of(record).encode(data) }),
  }),
  schema,
});

export interface EnvelopeOptions {
  /** The key of the total; null for lists without one. */
  readonly total: 'total_records' | 'totalRecords' | (string & {}) | null;
  /** The key of the array, `results` unless said otherwise. */
  readonly items?: string;
  /** The total is a number instead of its decimal text. */
  readonly asNumber?: boolean;
  /** Rows asked for at a time when everything is returned: 100, unless the graph gives more of this list at once. */
  readonly rowsAtOnce?: number;
  /** More keys, behind the array, from the connection's other fields. */
  readonly also?: (connection: Data) => Data;
  /** What these keys hold: every one of them has to be told. */
  readonly alsoSchema?: Readonly<Record<string, JsonSchema>>;
}

/** A list's wrapping, and how it is written. */
export interface Envelope extends EnvelopeOptions {
  readonly record: LegacyRecord;
  readonly items: string;
}

/** What a list's root field gives: a connection, or a plain list. */
export interface Rows {
  readonly nodes: readonly Data[];
  readonly total: number;
  readonly connection: Data;
}

/** The rows of a list's root field, with their total. */
export const rowsOf = (root: unknown): Rows => {
  if (Array.isArray(root)) return { nodes: root, total: root.length, connection: {} };
  const connection = root as Data;
  const nodes = connection.nodes as readonly Data[];
  return { nodes, total: Number(connection.totalCount ?? nodes.length), connection };
};

/** The keys in front of the array. */
export const headOf = ({ total, asNumber }: Envelope, rows: Rows): Data =>
  total === null ? {} : { [total]: asNumber ? rows.total : decimalText(rows.total) };

/** `{ total_records: "3", results: [record, …] }`: of a connection `{ totalCount nodes { ...Record } }` or a plain list. */
export const list = (record: LegacyRecord, options: EnvelopeOptions): Reply => {
  const envelope: Envelope = { items: 'results', ...options, record };
  const { total, items, asNumber, also, alsoSchema = {} } = envelope;
  return {
    status: 200,
    record,
    list: envelope,
    compile(codecs) {
      const { encode } = codecs.of(record);
      return (root) => {
        const rows = rowsOf(root);
        return { status: 200, body: { ...headOf(envelope, rows), [items]: rows.nodes.map(encode), ...also?.(rows.connection) } };
      };
    },
    schema: object({
      ...(total === null ? {} : { [total]: { type: asNumber ? 'number' : 'string' } }),
      [items]: { type: 'array', items: schemaRef(record, 'out') },
      ...alsoSchema,
    }),
  };
};
