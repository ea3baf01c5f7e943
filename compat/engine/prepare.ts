import { isNonNullType, Kind, type OperationDefinitionNode, print } from 'graphql';
import { type Graph, type Operation, usesOf } from '../../src/graphql/run.js';
import type { Codecs } from './bind/codec.js';
import { documentOf, isConnection, type ParsedOperation, pageOf, parsedOperation, withPaging } from './bind/document.js';
import { type Data, isObject } from './bind/json.js';
import { Mismatch, Mismatches } from './bind/mismatch.js';
import { type LegacyNames, legacyError, legacyNames, withLegacyNames } from './reply/error-response.js';
import { createListReader, defaultInternalPageSize } from './reply/lists.js';
import type { Answer } from './reply/replies.js';
import { cacheAnswers, encodeWithTag } from './reply/response-cache.js';
import type { RunOperation } from './reply/run.js';
import {
  type Args,
  argumentNames,
  compileArgs,
  isReader,
  type LegacyRequest,
  needsBody,
  parametersOf,
} from './request/reader.js';
import { path } from './request/sources.js';
import type { Route, RouteKey } from './route.js';

/** A route that was checked against the schema, ready to run. */
export interface PreparedRoute {
  readonly route: Route;
  /** Whether it runs a mutation, even with the method GET. */
  readonly writes: boolean;
  /** Whether requests need a body. */
  readonly needsBody: boolean;
  /** Throws if a policy rejects the caller. */
  readonly authorize: Operation['authorize'];
  /** Whether this alternative applies to a request. */
  readonly applies: (request: LegacyRequest) => boolean;
  /** Null if the root field is null. */
  readonly answer: (request: LegacyRequest) => Promise<Answer | null>;
}

const operationRunner =
  (names: LegacyNames): RunOperation =>
  async (operation, variables, { caller, client }) => {
    const { data, errors } = await operation.run(variables, caller, client);
    const [error] = errors ?? [];
    if (error) throw legacyError(error, names, variables);
    return data ?? {};
  };

/** Problems of a route that are found without its document. */
function* problemsOf(
  { auth, ownUserParam, args = {}, when, reply, onNull }: Route,
  key: RouteKey,
  { operation, roots, fragments, field }: ParsedOperation,
): Iterable<string> {
  if (!['platform', 'user', 'either', 'anyone'].includes(auth)) yield 'has no auth letter: platform, user, either or anyone';
  if (ownUserParam && !key.params.includes(ownUserParam)) yield `ownUserParam: the path has no {${ownUserParam}}`;
  const variables = operation.variableDefinitions ?? [];
  const declared = new Set(variables.map(({ variable }) => variable.name.value));
  const pagingArguments = new Set(reply.list && isConnection(field) ? field?.args.map(({ name }) => name) : []);
  for (const name of Object.keys(args))
    if (!declared.has(name) && !pagingArguments.has(name)) yield `args: the operation declares no variable $${name}`;
  for (const { variable, type, defaultValue } of variables) {
    const name = variable.name.value;
    if (type.kind === Kind.NON_NULL_TYPE && !defaultValue && !(name in args) && !key.params.includes(name))
      yield `nothing feeds the variable $${name}`;
  }
  for (const { variable, type } of variables) {
    const entry = args[variable.name.value];
    const input = entry && isReader(entry) ? entry.body?.record.input : undefined;
    const name = print(type).replace(/\W/g, '');
    if (input && input !== name) yield `$${variable.name.value} is a ${name}, but its record makes a ${input}`;
  }
  const pathParameters = parametersOf(when ? { ...args, when } : args).filter(({ in: location }) => location === 'path');
  for (const { name } of pathParameters)
    if (!key.params.includes(name)) yield `reads the path parameter ${name}, which the path doesn't have`;
  for (const param of key.params) {
    if (
      param !== ownUserParam &&
      !(declared.has(param) && !(param in args)) &&
      !pathParameters.some(({ name }) => name === param)
    )
      yield `the path parameter {${param}} is used nowhere`;
  }
  if (roots.length !== 1 && !reply.custom) yield 'must have one root field, unless the reply is custom';
  if (reply.record && !fragments.has(reply.record.name))
    yield `the operation doesn't spread ...${reply.record.name}, of which the reply is made`;
  const selectsField = (name: string) =>
    roots[0]?.selectionSet?.selections.some((node) => node.kind === Kind.FIELD && (node.alias ?? node.name).value === name);
  if (reply.list && isConnection(field)) {
    if (reply.list.total !== null && !selectsField('totalCount'))
      yield 'the reply gives a total, but the operation selects no totalCount';
    if (!selectsField('nodes')) yield 'the reply is a list, but the operation selects no nodes';
  }
  if (onNull && field && isNonNullType(field.type)) yield 'onNull: the root field is never null';
}

/** Checks a route against the schema. Problems go to `report`, and the result is null. */
export function prepare(
  route: Route,
  key: RouteKey,
  graph: Graph,
  codecs: Codecs,
  report: (problem: string) => void,
): PreparedRoute | null {
  try {
    const source = parsedOperation(route.run, graph.schema);
    const problems = [...problemsOf(route, key, source)];
    if (problems.length) throw new Error(problems.join('; '));
    const variableNames = new Set(source.operation.variableDefinitions?.map(({ variable }) => variable.name.value));
    const pathArgs = Object.fromEntries(key.params.filter((name) => variableNames.has(name)).map((name) => [name, path(name)]));
    const args: Args = { ...pathArgs, ...route.args };
    const handler = routeHandler(route, source, args, graph, codecs);
    const writes = source.operation.operation === 'mutation';
    return {
      route,
      writes,
      needsBody: needsBody(args),
      applies: conditionOf(route, handler.read, codecs),
      ...(route.isCached ? cachedHandler(graph, handler) : route.hasETag ? taggedHandler(handler) : handler),
    };
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    return null;
  }
}

interface RouteHandler extends Pick<PreparedRoute, 'authorize' | 'answer'> {
  /** Variables of a request. Throws a `Mismatch` with all invalid values. */
  readonly read: (request: LegacyRequest) => Data;
}

function conditionOf({ when }: Route, variables: RouteHandler['read'], codecs: Codecs): PreparedRoute['applies'] {
  const read = when?.compile(codecs);
  if (!read) return () => true;
  return (request) => {
    const mismatches = new Mismatches();
    const conditionValue = mismatches.tryRead(() => read(request));
    // If the condition of an alternative is invalid, the error also lists its other invalid values.
    if (mismatches.hasProblems) mismatches.tryRead(() => variables(request));
    mismatches.throwIfAny();
    return conditionValue !== undefined;
  };
}

/** Cached responses are shared by all callers. Therefore GraphQL must permit everyone to read them. The route still requires its token. */
function cachedHandler(graph: Graph, { authorize, answer, read }: RouteHandler): RouteHandler {
  authorize({ platform: null, key: null, user: null, rejected: false });
  return { authorize, read, answer: cacheAnswers(graph.cacheVersion, read, answer) };
}

/** Responses that are created for each request, with an ETag. */
const taggedHandler = (handler: RouteHandler): RouteHandler => ({
  ...handler,
  answer: async (request) => {
    const response = await handler.answer(request);
    return response && encodeWithTag(response);
  },
});

/** Legacy names of the arguments of an operation. */
const argumentLegacyNames = (operation: OperationDefinitionNode, args: Args, graph: Graph, codecs: Codecs): LegacyNames =>
  legacyNames(argumentNames(args, codecs), usesOf(graph.schema, { kind: Kind.DOCUMENT, definitions: [operation] }, operation));

/** Whether a name is the same as another name, or the name of a parent. */
const isSameOrParent = (outer: string, inner: string): boolean =>
  inner.startsWith(outer) && !/^\w/.test(inner.slice(outer.length));

/** Reads the variables of a request. The 400 error lists unreadable values, and values that GraphQL rejects. */
function variableReader(args: Args, names: LegacyNames, operation: Operation, codecs: Codecs): (request: LegacyRequest) => Data {
  const read = compileArgs(args, codecs);
  return (request) => {
    try {
      return read(request);
    } catch (error) {
      if (!(error instanceof Mismatch) || !isObject(error.validValues)) throw error;
      // The engine itself checks the page size, and reads long pages in parts.
      const graphProblems = withLegacyNames(operation.problems({ ...error.validValues, first: 0 }), names, error.validValues);
      // Unreadable values are not reported as missing.
      const additionalProblems = graphProblems.filter(
        ({ field }) => !error.problems.some((problem) => isSameOrParent(field, problem.field)),
      );
      throw new Mismatch([...error.problems, ...additionalProblems]);
    }
  };
}

function routeHandler(
  { reply, isCached }: Route,
  source: ParsedOperation,
  args: Args,
  graph: Graph,
  codecs: Codecs,
): RouteHandler {
  const isList = reply.list && isConnection(source.field);
  const pagedOperation = isList ? withPaging(source) : source.operation;
  const names = argumentLegacyNames(pagedOperation, args, graph, codecs);
  const run = operationRunner(names);
  const [root] = source.roots;
  const rootName = source.roots.length === 1 ? (root?.alias ?? root?.name)?.value : undefined;
  const createAnswer = reply.compile(codecs);
  const prepareOperation = (operation = source.operation) => graph.prepare(documentOf(operation, codecs), isCached);

  if (reply.list && isList && rootName) {
    const { internalPageSize = defaultInternalPageSize } = reply.list;
    const singlePage = 'first' in args ? prepareOperation(pagedOperation) : null;
    const firstPage = prepareOperation(pageOf(pagedOperation, true));
    const listReader = createListReader(
      reply.list,
      rootName,
      firstPage,
      prepareOperation(pageOf(pagedOperation, false)),
      codecs,
      run,
    );
    const read = variableReader(args, names, singlePage ?? firstPage, codecs);
    return {
      authorize: (caller) => (singlePage ?? listReader).authorize(caller),
      read,
      answer: async (request) => {
        const variables = read(request);
        const limit = typeof variables.first === 'number' ? variables.first : Infinity;
        if (!singlePage || limit > internalPageSize) return listReader.answer(variables, limit, request);
        const data = (await run(singlePage, variables, request))[rootName];
        return data === null || data === undefined ? null : createAnswer(data, request);
      },
    };
  }

  const operation = prepareOperation();
  const read = variableReader(args, names, operation, codecs);
  return {
    authorize: (caller) => operation.authorize(caller),
    read,
    answer: async (request) => {
      const data = await run(operation, read(request), request);
      const result = rootName ? data[rootName] : data;
      return (result === null || result === undefined) && !reply.answersNull ? null : createAnswer(result, request);
    },
  };
}
