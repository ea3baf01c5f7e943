import { Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { Caller, Client } from '../../src/graphql/run.js';
import type { Codecs } from '../engine/bind/codec.js';
import { InvalidValueError } from '../engine/bind/invalid-value-error.js';
import { type Data, isObject } from '../engine/bind/json.js';
import { type ArgumentReaders, compileArgs, type LegacyRequest } from '../engine/request/reader.js';
import type { RouteEntry } from '../engine/route.js';
import { demoValues } from './demo-values.js';
import type { ReferenceExample } from './operation.js';
import type { RootField } from './parameters.js';
import { pathValues } from './samples.js';

const platform: Caller = { platform: { id: 'platform', name: 'Platform' }, key: null, user: null, rejected: false };
const client: Client = { address: '', origin: null, requestId: 0, header: () => undefined, setResponseHeader: () => undefined };

function requestOf({ path }: RouteEntry, { request }: ReferenceExample): LegacyRequest {
  const { pathname, searchParams } = new URL(request.path, 'http://localhost');
  const body = isObject(request.body) ? request.body : {};
  const query = Object.fromEntries(searchParams);
  return { params: pathValues(path, pathname), query, headers: {}, body, caller: platform, client, paging: 'offset' };
}

/** Converts a request to GraphQL variables. Omits invalid values. */
function validArguments(args: ArgumentReaders, request: LegacyRequest, codecs: Codecs): Data {
  try {
    return compileArgs(args, codecs)(request);
  } catch (error) {
    if (error instanceof InvalidValueError) return isObject(error.validValues) ? error.validValues : {};
    throw error;
  }
}

/** Returns values from the demo data for the variables of a root field. */
function demoVariables({ field, uses }: RootField): Data {
  const fieldValues = demoValues[field?.name ?? ''] ?? {};
  return Object.fromEntries(
    [...uses].flatMap(([variable, [use]]): [string, unknown][] => {
      const demoValue = fieldValues[use?.path ?? ''];
      return demoValue !== undefined && use ? [[variable, demoValue]] : [];
    }),
  );
}

/** Returns the names of the variables that an operation requires. */
const requiredVariables = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .map(({ variable }) => variable.name.value);

/**
 * Returns example variables for an operation. A mutation gets the variables of a recorded request. A query gets its required variables, and
 * variables that select demo data.
 */
export function exampleVariables(
  { args, rootField, operation }: { args: ArgumentReaders; rootField: RootField; operation: OperationDefinitionNode },
  entry: RouteEntry,
  examples: readonly ReferenceExample[],
  codecs: Codecs,
): Data {
  const demo = demoVariables(rootField);
  const required = requiredVariables(operation);
  const candidates = examples.map((example) => ({ ...validArguments(args, requestOf(entry, example), codecs), ...demo }));
  const complete = candidates.find((candidate) => required.every((name) => candidate[name] !== undefined)) ?? demo;
  if (operation.operation === OperationTypeNode.MUTATION) return complete;
  return Object.fromEntries(Object.entries(complete).filter(([name]) => required.includes(name) || name in demo));
}
