import { empty, type LegacyRecord, payload, platform, type Reply, type Route, result } from '../engine/index.js';

// These functions create routes that run the generated GraphQL operations of a record. Only platforms may use the routes, unless
// `options.auth` permits other callers.

type RouteOptions = Partial<Omit<Route, 'operation' | 'summary'>>;

const lowerFirst = (word = ''): string => word.charAt(0).toLowerCase() + word.slice(1);

const saveRoute =
  (verb: 'create' | 'update' | 'upsert') =>
  (record: LegacyRecord, summary: string, options: RouteOptions = {}): Route => {
    const { reply = result(record) } = options;
    const { type, name } = reply.record ?? record;
    const [idVariable, idArgument] = verb === 'update' ? ['$uuid: ID!, ', 'id: $uuid, '] : ['', ''];
    return {
      auth: platform,
      args: { input: payload(record, { hasIdInPath: verb === 'update' }) },
      operation: `mutation (${idVariable}$input: ${record.input}!) { ${verb}${type}(${idArgument}input: $input) { ...${name} } }`,
      summary,
      ...options,
      reply,
    };
  };

/** Returns a route that creates a record. Default reply: `{ result: record }`. */
export const createRoute = saveRoute('create');

/** Returns a route that updates the record identified by the path parameter `uuid`. Default reply: `{ result: record }`. */
export const updateRoute = saveRoute('update');

/** Returns a route that creates or updates a record. Default reply: `{ result: record }`. */
export const upsertRoute = saveRoute('upsert');

/** Returns a route that deletes the record identified by the path parameter `uuid`. `type` is the GraphQL type of the record. */
export const deleteRoute = (type: string, summary: string, options: RouteOptions = {}): Route => ({
  auth: platform,
  operation: `mutation ($uuid: ID!) { delete${type}(id: $uuid) { id } }`,
  reply: empty,
  summary,
  ...options,
});

/** Returns a route that reads the record identified by the path parameter `uuid`. */
export const getRoute = (reply: Reply, summary: string, options: RouteOptions = {}): Route => ({
  auth: platform,
  operation: `query ($uuid: ID!) { ${lowerFirst(reply.record?.type)}(id: $uuid) { ...${reply.record?.name} } }`,
  summary,
  ...options,
  reply,
});

/** Returns a route that lists the records of a GraphQL root field. If `args.filter` is set, the route filters the records. */
export const listRoute = (rootField: string, reply: Reply, summary: string, options: RouteOptions = {}): Route => {
  const nodes = `{ ${reply.list?.total === null ? '' : 'totalCount '}nodes { ...${reply.record?.name} } }`;
  return {
    auth: platform,
    operation: options.args?.filter
      ? `query ($filter: ${reply.record?.type}Filter) { ${rootField}(filter: $filter) ${nodes} }`
      : `{ ${rootField} ${nodes} }`,
    summary,
    ...options,
    reply,
  };
};
