import { isNonNullType, Kind, type OperationDefinitionNode, print } from 'graphql';
import { type Graph, type Operation, usesOf } from '../../src/graphql/run.js';
import type { Codecs } from './bind/codec.js';
import { documentOf, isConnection, type ParsedOperation, pageOf, parsedOperation, withPaging } from './bind/document.js';
import { InvalidValueError, InvalidValues } from './bind/invalid-value-error.js';
import { type Data, isObject } from './bind/json.js';
import { type LegacyNames, legacyError, legacyNamesByPath, withLegacyNames } from './reply/error-response.js';
import { createListReader, maxPageRows, type RunOperation } from './reply/lists.js';
import type { LegacyResponse } from './reply/replies.js';
import { cacheResponses, encodeWithTag } from './reply/response-cache.js';
import {
  type ArgumentReaders,
  argumentNames,
  compileArgs,
  isReader,
  type LegacyRequest,
  needsBody,
  parametersOf,
} from './request/reader.js';
import { path } from './request/sources.js';
import type { Route, RouteKey } from './route.js';

/** A route that matches the GraphQL schema, with functions to run it. */
export interface PreparedRoute {
  readonly route: Route;
  /** Whether the route runs a mutation. Some GET routes run mutations. */
  readonly isMutation: boolean;
  /** Whether requests need a body. */
  readonly needsBody: boolean;
  /** Throws if a policy rejects the caller. */
  readonly authorize: Operation['authorize'];
  /**
   * Returns whether a request satisfies the condition `when` of the route. Throws an `InvalidValueError` if the value of the condition is
   * invalid.
   */
  readonly applies: (request: LegacyRequest) => boolean;
  /** Runs the operation. The response is null if the root field is null. */
  readonly handle: (request: LegacyRequest) => Promise<LegacyResponse | null>;
}

const operationRunner =
  (names: LegacyNames): RunOperation =>
  async (operation, variables, { caller, client }) => {
    const { data, errors } = await operation.run(variables, caller, client);
    const [error] = errors ?? [];
    if (error) throw legacyError(error, names, variables);
    return data ?? {};
  };

/** Yields the mismatches between a route, its key and its operation. */
function* problemsOf(
  { auth, ownUserParam, args = {}, when, reply, onNull }: Route,
  key: RouteKey,
  { operation, roots, fragments, field }: ParsedOperation,
): Iterable<string> {
  if (!['platform', 'user', 'platformOrUser', 'anyone'].includes(auth))
    yield 'auth: expected platform, user, platformOrUser or anyone';
  if (ownUserParam && !key.params.includes(ownUserParam)) yield `ownUserParam: the path has no {${ownUserParam}}`;
  const variables = operation.variableDefinitions ?? [];
  const declared = new Set(variables.map(({ variable }) => variable.name.value));
  const pagingArguments = new Set(reply.list && isConnection(field) ? field?.args.map(({ name }) => name) : []);
  for (const name of Object.keys(args))
    if (!declared.has(name) && !pagingArguments.has(name)) yield `args: the operation declares no variable $${name}`;
  for (const { variable, type, defaultValue } of variables) {
    const name = variable.name.value;
    if (type.kind === Kind.NON_NULL_TYPE && !defaultValue && !(name in args) && !key.params.includes(name))
      yield `args: the required variable $${name} has no value`;
  }
  for (const { variable, type } of variables) {
    const entry = args[variable.name.value];
    const input = entry && isReader(entry) ? entry.body?.record.input : undefined;
    const name = print(type).replace(/\W/g, '');
    if (input && input !== name) yield `$${variable.name.value} has the type ${name}, but its record has the input type ${input}`;
  }
  const pathParameters = parametersOf(when ? { ...args, when } : args).filter(({ in: location }) => location === 'path');
  for (const { name } of pathParameters) if (!key.params.includes(name)) yield `args: the path has no {${name}}`;
  for (const param of key.params) {
    if (
      param !== ownUserParam &&
      !(declared.has(param) && !(param in args)) &&
      !pathParameters.some(({ name }) => name === param)
    )
      yield `the path parameter {${param}} is not used`;
  }
  if (roots.length !== 1 && !reply.isCustom) yield 'must have exactly one root field unless the reply is custom';
  if (reply.record && !fragments.has(reply.record.name))
    yield `the operation must spread ...${reply.record.name}, the fragment of the reply record`;
  const selectsField = (name: string) =>
    roots[0]?.selectionSet?.selections.some((node) => node.kind === Kind.FIELD && (node.alias ?? node.name).value === name);
  if (reply.list && isConnection(field)) {
    if (reply.list.total !== null && !selectsField('totalCount'))
      yield 'the operation must select totalCount for the total of the reply';
    if (!selectsField('nodes')) yield 'the operation must select nodes for the list of the reply';
  }
  if (onNull && field && isNonNullType(field.type)) yield 'onNull: the root field is never null';
}

/**
 * Checks a route against the GraphQL schema and prepares it. If the route does not match the schema, calls `report` with the problems and
 * returns null.
 */
export function prepareRoute(
  route: Route,
  key: RouteKey,
  graph: Graph,
  codecs: Codecs,
  report: (problem: string) => void,
): PreparedRoute | null {
  try {
    const source = parsedOperation(route.operation, graph.schema);
    const problems = [...problemsOf(route, key, source)];
    if (problems.length) throw new Error(problems.join('; '));
    const variableNames = new Set(source.operation.variableDefinitions?.map(({ variable }) => variable.name.value));
    const pathArgs = Object.fromEntries(key.params.filter((name) => variableNames.has(name)).map((name) => [name, path(name)]));
    const args: ArgumentReaders = { ...pathArgs, ...route.args };
    const handler = routeHandler(route, source, args, graph, codecs);
    const isMutation = source.operation.operation === 'mutation';
    return {
      route,
      isMutation,
      needsBody: needsBody(args),
      applies: conditionOf(route, handler.readVariables, codecs),
      ...(route.isCached ? cachedHandler(graph, handler) : route.hasETag ? taggedHandler(handler) : handler),
    };
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    return null;
  }
}

interface RouteHandler extends Pick<PreparedRoute, 'authorize' | 'handle'> {
  /** Reads the variables of a request. Throws an `InvalidValueError` with all invalid values. */
  readonly readVariables: (request: LegacyRequest) => Data;
}

function conditionOf({ when }: Route, readVariables: RouteHandler['readVariables'], codecs: Codecs): PreparedRoute['applies'] {
  const readCondition = when?.compile(codecs);
  if (!readCondition) return () => true;
  return (request) => {
    const mismatches = new InvalidValues();
    const conditionValue = mismatches.tryRead(() => readCondition(request));
    // If the value of `when` is invalid, the error also lists the other invalid values of the request.
    if (mismatches.hasProblems) mismatches.tryRead(() => readVariables(request));
    mismatches.throwIfAny();
    return conditionValue !== undefined;
  };
}

/**
 * Caches the responses of a route. All callers share them, so this function throws if a GraphQL policy restricts the operation. The route
 * still requires its token.
 */
function cachedHandler(graph: Graph, { authorize, handle, readVariables }: RouteHandler): RouteHandler {
  authorize({ platform: null, key: null, user: null, rejected: false });
  return { authorize, readVariables, handle: cacheResponses(graph.cacheVersion, readVariables, handle) };
}

/** Adds an ETag to the responses of a route. */
const taggedHandler = (handler: RouteHandler): RouteHandler => ({
  ...handler,
  handle: async (request) => {
    const response = await handler.handle(request);
    return response && encodeWithTag(response);
  },
});

/** Returns the legacy names of an operation's values, keyed by GraphQL argument path. */
const argumentLegacyNames = (
  operation: OperationDefinitionNode,
  args: ArgumentReaders,
  graph: Graph,
  codecs: Codecs,
): LegacyNames =>
  legacyNamesByPath(
    argumentNames(args, codecs),
    usesOf(graph.schema, { kind: Kind.DOCUMENT, definitions: [operation] }, operation),
  );

/** Whether the field `outer` is the field `inner` or contains it. */
const isSameOrParent = (outer: string, inner: string): boolean =>
  inner.startsWith(outer) && !/^\w/.test(inner.slice(outer.length));

/**
 * Returns a function that reads the variables of a request. It throws one `InvalidValueError` that lists all values that `/v1` or GraphQL
 * rejects.
 */
function variableReader(
  args: ArgumentReaders,
  names: LegacyNames,
  operation: Operation,
  codecs: Codecs,
): (request: LegacyRequest) => Data {
  const read = compileArgs(args, codecs);
  return (request) => {
    try {
      return read(request);
    } catch (error) {
      if (!(error instanceof InvalidValueError) || !isObject(error.validValues)) throw error;
      // `page()` has already checked the page size, which may exceed the GraphQL maximum. GraphQL therefore checks the size 0 instead.
      const graphProblems = withLegacyNames(operation.problems({ ...error.validValues, first: 0 }), names, error.validValues);
      // GraphQL reports invalid values as missing, because they are not among the variables. These duplicate problems are removed.
      const additionalProblems = graphProblems.filter(
        ({ field }) => !error.problems.some((problem) => isSameOrParent(field, problem.field)),
      );
      throw new InvalidValueError([...error.problems, ...additionalProblems]);
    }
  };
}

function routeHandler(
  { reply, isCached }: Route,
  source: ParsedOperation,
  args: ArgumentReaders,
  graph: Graph,
  codecs: Codecs,
): RouteHandler {
  const isList = reply.list && isConnection(source.field);
  const pagedOperation = isList ? withPaging(source) : source.operation;
  const names = argumentLegacyNames(pagedOperation, args, graph, codecs);
  const run = operationRunner(names);
  const [root] = source.roots;
  const rootName = source.roots.length === 1 ? (root?.alias ?? root?.name)?.value : undefined;
  const createResponse = reply.compile(codecs);
  const prepareOperation = (operation = source.operation) => graph.prepare(documentOf(operation, codecs), isCached);

  if (reply.list && isList && rootName) {
    const singlePage = 'first' in args ? prepareOperation(pagedOperation) : null;
    const firstPage = prepareOperation(pageOf(pagedOperation, true));
    const readList = createListReader(
      reply.list,
      rootName,
      firstPage,
      prepareOperation(pageOf(pagedOperation, false)),
      codecs,
      run,
    );
    const readVariables = variableReader(args, names, singlePage ?? firstPage, codecs);
    return {
      authorize: (caller) => (singlePage ?? firstPage).authorize(caller),
      readVariables,
      handle: async (request) => {
        const variables = readVariables(request);
        const limit = typeof variables.first === 'number' ? variables.first : Infinity;
        if (!singlePage || limit > maxPageRows) return readList(variables, limit, request);
        const data = (await run(singlePage, variables, request))[rootName];
        return data === null || data === undefined ? null : createResponse(data, request);
      },
    };
  }

  const operation = prepareOperation();
  const readVariables = variableReader(args, names, operation, codecs);
  return {
    authorize: (caller) => operation.authorize(caller),
    readVariables,
    handle: async (request) => {
      const data = await run(operation, readVariables(request), request);
      const result = rootName ? data[rootName] : data;
      return (result === null || result === undefined) && !reply.handlesNull ? null : createResponse(result, request);
    },
  };
}
