import type { JsonSchema } from '../engine/index.js';
import type { ValueLocation } from '../engine/request/reader.js';
import type { Auth, Method } from '../engine/route.js';
import type { Decision } from './decisions.js';

/** A field of a request body or response body. */
export interface ReferenceField {
  /** Path, such as `payload.Title` or `results[].location.city`. */
  readonly path: string;
  /** Type, such as `string`, `decimal text`, `timestamp or null` or `array of objects`. */
  readonly type: string;
  /** GraphQL description. */
  readonly meaning: string;
  /** GraphQL coordinate, such as `Tournament.title` or `TournamentInput.title`. Null if it is not a single field. */
  readonly coordinate: string | null;
  readonly required: boolean;
}

/** A parameter in the path, query or headers of a request. */
export interface ReferenceParameter {
  readonly in: Exclude<ValueLocation, 'body' | 'payload'>;
  readonly name: string;
  readonly required: boolean;
  readonly meaning: string;
  /** GraphQL argument, such as `Query.teams.filter.eventId.eq`. Null if it is not a single argument. */
  readonly coordinate: string | null;
  readonly schema: JsonSchema;
}

/** A response of an operation. Without a schema, it has no body. */
export interface ReferenceAnswer {
  readonly status: number;
  readonly meaning: string;
  readonly schema: JsonSchema | null;
  readonly fields: readonly ReferenceField[];
}

/** The GraphQL operation that runs in one case of an operation of `/v1`. */
export interface ReferenceCall {
  /** Description of the case. Null if there is only one. */
  readonly when: string | null;
  /** Formatted document with its fragments. */
  readonly document: string;
  /** Coordinates of its fields, such as `Query.teams` and `Team.rating`. */
  readonly coordinates: readonly string[];
  /** Example variables. They refer to demo data. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A recorded request with its response. */
export interface ReferenceExample {
  /** Name, such as `usual` or `unknown`. It is unique within the operation. */
  readonly name: string;
  readonly title: string;
  readonly request: { readonly path: string; readonly body?: unknown };
  readonly response: { readonly status: number; readonly body: unknown };
}

/** Documentation of an operation of the legacy interface. */
export interface ReferenceOperation {
  /** Unique name from method and path, such as `getDataTeamsUuid`. It is the `operationId` in OpenAPI and the method name in the SDK. */
  readonly name: string;
  /** Title of its group. */
  readonly group: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly auth: Auth;
  /** Sentences about the permitted callers. */
  readonly callers: string;
  readonly parameters: readonly ReferenceParameter[];
  readonly request: { readonly schema: JsonSchema; readonly fields: readonly ReferenceField[] } | null;
  readonly answers: readonly ReferenceAnswer[];
  readonly errors: readonly { readonly status: number; readonly meaning: string }[];
  /** Decisions about it. */
  readonly decisions: readonly Decision[];
  readonly calls: readonly ReferenceCall[];
  readonly examples: readonly ReferenceExample[];
}

/** A group of operations, in the order of the interface document. */
export interface ReferenceGroup {
  readonly title: string;
  /** Description in one sentence. */
  readonly description: string;
  readonly operations: readonly ReferenceOperation[];
}

/** Documentation of the legacy interface. */
export interface Reference {
  readonly groups: readonly ReferenceGroup[];
  /** Schemas of records by name. Operations refer to them as `#/components/schemas/…`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
