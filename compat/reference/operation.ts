import type { JsonSchema } from '../engine/index.js';
import type { ValuePlace } from '../engine/request/reader.js';
import type { Auth, Method } from '../engine/route.js';
import type { Decision } from './decisions.js';

/** A value that stands somewhere in a request's body or in an answer. */
export interface ReferenceField {
  /** Its place, such as `payload.Title` or `results[].location.city`. */
  readonly path: string;
  /** What it is on the wire, in a few words: `string`, `decimal text`, `timestamp or null`, `array of objects`. */
  readonly type: string;
  /** What it means, as the graph describes it. */
  readonly meaning: string;
  /** What of the graph it shows or sets, such as `Tournament.title` or `TournamentInput.title`; null where no single field stands behind it. */
  readonly coordinate: string | null;
  readonly required: boolean;
}

/** A value that stands in the path, the query or a header of a request. */
export interface ReferenceParameter {
  readonly in: Exclude<ValuePlace, 'body' | 'payload'>;
  readonly name: string;
  readonly required: boolean;
  readonly meaning: string;
  /** The argument of the graph that it becomes, such as `Query.teams.filter.eventId.eq`; null where it is part of several or of none. */
  readonly coordinate: string | null;
  readonly schema: JsonSchema;
}

/** One answer of an operation. Without a schema it has no body. */
export interface ReferenceAnswer {
  readonly status: number;
  readonly meaning: string;
  readonly schema: JsonSchema | null;
  readonly fields: readonly ReferenceField[];
}

/** The GraphQL operation behind one way to call an operation of `/v1`. */
export interface ReferenceCall {
  /** In which case it runs; null where there is only one. */
  readonly when: string | null;
  /** The document as it runs, with its fragments, laid out for people. */
  readonly document: string;
  /** The fields of the graph in it, such as `Query.teams` and `Team.rating`. */
  readonly asks: readonly string[];
  /** Variables with which it answers something, where the demo season is. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A request with its answer, as they were recorded. */
export interface ReferenceExample {
  /** Unique among those of the operation, such as `usual` or `unknown`. */
  readonly name: string;
  readonly title: string;
  readonly request: { readonly path: string; readonly body?: unknown };
  readonly response: { readonly status: number; readonly body: unknown };
}

/** One operation of the legacy interface, with everything that people who call it want to know. */
export interface ReferenceOperation {
  /** Unique among all operations, made of method and path: `getDataTeamsUuid`. OpenAPI has it as `operationId`, the client as its method. */
  readonly name: string;
  /** The title of the group in which it stands. */
  readonly group: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly auth: Auth;
  /** Who may call it, in a sentence. */
  readonly callers: string;
  readonly parameters: readonly ReferenceParameter[];
  readonly request: { readonly schema: JsonSchema; readonly fields: readonly ReferenceField[] } | null;
  readonly answers: readonly ReferenceAnswer[];
  readonly errors: readonly { readonly status: number; readonly meaning: string }[];
  /** The decisions that settle something of it. */
  readonly decisions: readonly Decision[];
  readonly calls: readonly ReferenceCall[];
  readonly examples: readonly ReferenceExample[];
}

/** Operations that belong together, in the order in which the interface lists them. */
export interface ReferenceGroup {
  readonly title: string;
  /** What they are about, in a sentence. */
  readonly about: string;
  readonly operations: readonly ReferenceOperation[];
}

/** The whole legacy interface as people read of it. */
export interface Reference {
  readonly groups: readonly ReferenceGroup[];
  /** The schemas of records by name, to which the schemas of operations refer as `#/components/schemas/…`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
