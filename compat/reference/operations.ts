import { type GraphQLSchema, isObjectType, Kind, OperationTypeNode } from 'graphql';
import { usesOf } from '../../src/graphql/run.js';
import type { Codecs } from '../engine/bind/codec.js';
import { type ParsedOperation, parsedOperation } from '../engine/bind/document.js';
import { timestampFormat } from '../engine/bind/instant.js';
import type { JsonSchema } from '../engine/bind/json.js';
import { type ArgumentReaders, parametersOf } from '../engine/request/reader.js';
import { path as pathReader } from '../engine/request/sources.js';
import type { Route, RouteEntry } from '../engine/route.js';
import { callersOf } from './callers.js';
import { executedOperation, printedDocument } from './calls.js';
import type { createDecisionFinder } from './decisions.js';
import { errorsOf } from './errors.js';
import { type FindSchema, fieldsOf, withoutUnknownKeys } from './fields.js';
import { operationName } from './names.js';
import type { ReferenceExample, ReferenceOperation, ReferenceParameter } from './operation.js';
import { type LocatedParameter, locatedParameters, type RootField } from './parameters.js';
import { bodySchema, recordIn } from './request-body.js';
import { successesOf, withoutCallers } from './responses.js';
import { namesIn } from './schemas.js';
import { exampleVariables } from './variables.js';

export interface ReferenceContext {
  readonly schema: GraphQLSchema;
  readonly codecs: Codecs;
  readonly resolve: FindSchema;
  readonly examples: Readonly<Record<string, readonly ReferenceExample[]>>;
  readonly decisions: ReturnType<typeof createDecisionFinder>;
}

/** A case of an operation: one of its routes, with the GraphQL operation that it runs. */
interface Case {
  readonly route: Route;
  readonly args: ArgumentReaders;
  readonly rootField: RootField;
  readonly source: ParsedOperation;
  readonly operation: ReturnType<typeof executedOperation>;
}

function caseOf(route: Route, { params }: RouteEntry, schema: GraphQLSchema): Case {
  const source = parsedOperation(route.operation, schema);
  const operation = executedOperation(route, source);
  const variableNames = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  const fromPath = params.filter((name) => variableNames.has(name)).map((name) => [name, pathReader(name)] as const);
  const [root] = source.roots;
  const variableUses = usesOf(schema, { kind: Kind.DOCUMENT, definitions: [operation] }, operation);
  const type = operation.operation === OperationTypeNode.MUTATION ? 'Mutation' : 'Query';
  const rootField = { coordinate: `${type}.${root?.name.value ?? ''}`, field: source.field, uses: variableUses };
  return { route, args: { ...Object.fromEntries(fromPath), ...route.args }, rootField, source, operation };
}

/** Returns the parameters of all cases. A parameter is required only if all cases require it. */
function parametersOfCases(cases: readonly Case[], { params }: RouteEntry, codecs: Codecs): LocatedParameter[] {
  const pathParameters = params.flatMap((name) => pathReader(name).parameters);
  const parametersByCase = cases.map(({ route, args, rootField }) =>
    locatedParameters(args, [...pathParameters, ...(route.when ? parametersOf({ when: route.when }) : [])], rootField, codecs),
  );
  const byName = Map.groupBy(parametersByCase.flat(), ({ parameter }) => `${parameter.in} ${parameter.name}`);
  return [...byName.values()].flatMap((sameParameters) => {
    const representative = sameParameters.find(({ coordinate }) => coordinate !== null) ?? sameParameters[0];
    if (!representative) return [];
    const required =
      representative.parameter.in === 'path' ||
      (sameParameters.length === cases.length && sameParameters.every(({ parameter }) => parameter.required));
    return [{ ...representative, parameter: { ...representative.parameter, required } }];
  });
}

const parameterOf = ({ parameter, meaning, coordinate }: LocatedParameter): ReferenceParameter[] => {
  const { in: location, name, required, schema } = parameter;
  return location === 'body' || location === 'payload' ? [] : [{ in: location, name, required, meaning, coordinate, schema }];
};

/** Whether a case selects one record, which may not exist. */
const isForOneRecord = ({ route: { reply }, rootField: { field } }: Case): boolean =>
  !reply.list && !reply.handlesNull && field !== undefined && isObjectType(field.type) && field.args.length > 0;

/** Returns an example without the request fields that the operation ignores. */
function withoutIgnoredFields(example: ReferenceExample, schema: JsonSchema | null, resolve: FindSchema): ReferenceExample {
  const { body, ...request } = example.request;
  return schema && body !== undefined
    ? { ...example, request: { ...request, body: withoutUnknownKeys(body, schema, resolve) } }
    : example;
}

const locations = ['path', 'query', 'header'];

/** Returns the documentation of an operation. */
export function operationOf(entry: RouteEntry, group: string, context: ReferenceContext): ReferenceOperation {
  const { schema, codecs, resolve } = context;
  const { method, path, alternatives } = entry;
  const name = operationName(method, path);
  const cases = alternatives.map((route) => caseOf(route, entry, schema));
  const locatedParameters = parametersOfCases(cases, entry, codecs);
  const body = cases.map(({ args }) => recordIn(args)).find(Boolean);
  const request = bodySchema(body, locatedParameters);
  const recorded = context.examples[method + path.replaceAll('/', '_')] ?? [];
  const examples = recorded.map((example) => withoutIgnoredFields(example, request, resolve));
  const summaries = [...new Set(alternatives.flatMap(({ summary = [] }) => summary))];
  const [route] = alternatives;
  const auth = alternatives.some((alternative) => alternative.auth === 'platformOrUser')
    ? 'platformOrUser'
    : (route?.acceptsToken ?? route?.auth ?? 'anyone');
  const isMutation = cases.some(({ operation }) => operation.operation === OperationTypeNode.MUTATION);
  const isRead = method === 'GET' && !isMutation;
  const responses = successesOf(
    cases.map(({ route, rootField }) => ({ route, coordinate: rootField.coordinate, field: rootField.field, isRead })),
    examples,
    resolve,
  );
  const descriptions = cases.map(({ rootField }) => rootField.field?.description ?? '');
  const parameters = locatedParameters.flatMap(parameterOf).toSorted((a, b) => locations.indexOf(a.in) - locations.indexOf(b.in));
  const errors = errorsOf({
    needsToken: route?.auth !== 'anyone',
    hasInput: locatedParameters.length > 0 || request !== null,
    hasBody: request !== null,
    isWrite: isMutation && method !== 'GET',
    isForOneRecord: cases.some(isForOneRecord),
    descriptions: [...summaries, ...descriptions].join(' '),
    recordedStatuses: examples.map(({ response }) => response.status),
  });
  return {
    name,
    group,
    method,
    path,
    summary: summaries.join(' ') || withoutCallers(descriptions[0]),
    auth,
    callers: callersOf({ ...(route as Route), auth }, descriptions[0] ?? ''),
    parameters,
    request: request && { schema: request, fields: fieldsOf(request, resolve) },
    responses,
    errors,
    decisions: context.decisions({
      method,
      path,
      isMutation,
      isList: alternatives.some(({ reply }) => reply.list),
      isPaged: parameters.some((parameter) => parameter.name === 'page_size'),
      takesRecord: body !== undefined,
      hasInput: locatedParameters.length > 0 || request !== null,
      hasEmptyResponse: responses.every(({ fields }) => !fields.length),
      hasTimestamps: [request, ...responses.map((answer) => answer.schema)].some((body) => hasTimestamps(body, resolve)),
      takesTimestamps: hasTimestamps([request, parameters.map(({ schema }) => schema)], resolve),
      isOwn: alternatives.some(({ ownUserParam }) => ownUserParam),
      isOpenToUsers: auth === 'platformOrUser' || auth === 'user',
    }),
    calls: cases.map(({ route: { summary }, operation, ...call }) => ({
      when: cases.length > 1 ? (summary ?? null) : null,
      ...printedDocument(operation, name, codecs, schema),
      variables: exampleVariables({ ...call, operation }, entry, examples, codecs),
    })),
    examples,
  };
}

/** Whether schemas contain a timestamp. */
const hasTimestamps = (schema: unknown, resolve: FindSchema): boolean =>
  new RegExp(`"date-time"|"${timestampFormat}"`).test(JSON.stringify([schema, namesIn(schema).map(resolve)]) ?? '');
