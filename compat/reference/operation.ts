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
  /** Description, usually that of the GraphQL field. */
  readonly meaning: string;
  /** Schema coordinate of the GraphQL field, such as `Tournament.title`. Null if there is no single field. */
  readonly coordinate: string | null;
  readonly required: boolean;
}

/** A parameter in the path, query or headers of a request. */
export interface ReferenceParameter {
  readonly in: Exclude<ValueLocation, 'body' | 'payload'>;
  readonly name: string;
  readonly required: boolean;
  readonly meaning: string;
  /** GraphQL argument, such as `Query.teams.filter.eventId.eq`. Null if there is no single argument. */
  readonly coordinate: string | null;
  readonly schema: JsonSchema;
}

/** A successful response of an operation. */
export interface ReferenceResponse {
  readonly status: number;
  readonly meaning: string;
  /** JSON Schema of the body. Null if the response has no body. */
  readonly schema: JsonSchema | null;
  readonly fields: readonly ReferenceField[];
}

/** A GraphQL operation that an operation of `/v1` runs. */
export interface ReferenceCall {
  /** Description of the case in which the operation runs. Null if there is only one case. */
  readonly when: string | null;
  /** Formatted GraphQL document: the operation and its fragments. */
  readonly document: string;
  /** Schema coordinates of the selected fields, such as `Query.teams` and `Team.rating`. */
  readonly coordinates: readonly string[];
  /** Example variables, with IDs of demo data where possible. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** A recorded request with its response. */
export interface ReferenceExample {
  /** Name that is unique within the operation, such as `usual` or `unknown`. */
  readonly name: string;
  readonly title: string;
  readonly request: { readonly path: string; readonly body?: unknown };
  readonly response: { readonly status: number; readonly body: unknown };
}

/** Documentation of an operation of the legacy interface. */
export interface ReferenceOperation {
  /** Unique name, such as `getDataTeamsUuid`. It is the `operationId` in OpenAPI and the method name in the SDK. */
  readonly name: string;
  /** Title of the group that contains the operation. */
  readonly group: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly auth: Auth;
  /** Description of the permitted callers, in full sentences. */
  readonly callers: string;
  readonly parameters: readonly ReferenceParameter[];
  readonly request: { readonly schema: JsonSchema; readonly fields: readonly ReferenceField[] } | null;
  readonly responses: readonly ReferenceResponse[];
  readonly errors: readonly { readonly status: number; readonly meaning: string }[];
  /** Compatibility decisions that apply to the operation. */
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
  /** JSON Schemas of records, keyed by name. Operations refer to them as `#/components/schemas/…`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}
