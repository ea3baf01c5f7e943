import { Kind, type OperationDefinitionNode, OperationTypeNode } from 'graphql';
import type { Caller, Client } from '../../src/gateway/run.js';
import type { Codecs } from '../engine/bind/codec.js';
import { type Data, isObject } from '../engine/bind/json.js';
import { Mismatch } from '../engine/bind/mismatch.js';
import { type Args, compileArgs, type LegacyRequest } from '../engine/request/reader.js';
import type { Entry } from '../engine/route.js';
import type { ReferenceExample } from './operation.js';
import type { Asked } from './parameters.js';
import { seasonValues } from './season-values.js';

const platform: Caller = { platform: { id: 'platform', name: 'Platform' }, key: null, user: null, rejected: false };
const client: Client = { address: '', origin: null, requestId: 0, header: () => undefined, tell: () => undefined };

/** The values at the parameters of a path, such as `{uuid}`. */
function paramsIn(pattern: string, path: string): Record<string, string> {
  const asked = path.split('/');
  return Object.fromEntries(
    pattern.split('/').flatMap((part, index): [string, string][] => {
      const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
      return name ? [[name, decodeURIComponent(asked[index] ?? '')]] : [];
    }),
  );
}

function requestOf({ path }: Entry, { request }: ReferenceExample): LegacyRequest {
  const { pathname, searchParams } = new URL(request.path, 'http://localhost');
  const body = isObject(request.body) ? request.body : {};
  const query = Object.fromEntries(searchParams);
  return { params: paramsIn(path, pathname), query, headers: {}, body, caller: platform, client, paging: 'offset' };
}

/** What a request becomes; nothing where it cannot be read. */
function readAs(args: Args, request: LegacyRequest, codecs: Codecs): Data {
  try {
    return compileArgs(args, codecs)(request);
  } catch (error) {
    if (error instanceof Mismatch) return isObject(error.rest) ? error.rest : {};
    throw error;
  }
}

/** Variables for a read with which the demo season answers something: what is demanded, of its well-known records. */
function seasonVariables({ field, uses }: Asked): Data {
  const named = seasonValues[field?.name ?? ''] ?? {};
  return Object.fromEntries(
    [...uses].flatMap(([variable, [use]]): [string, unknown][] => {
      const known = named[use?.path ?? ''];
      return known !== undefined && use ? [[variable, known]] : [];
    }),
  );
}

/** Variables without which an operation cannot be sent. */
const demandedBy = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .map(({ variable }) => variable.name.value);

/**
 * Variables of an operation as somebody would send them: of a write those of a recorded request, of a read what is demanded, of records of the
 * demo season where there are such.
 */
export function exampleVariables(
  { args, asked, running }: { args: Args; asked: Asked; running: OperationDefinitionNode },
  entry: Entry,
  examples: readonly ReferenceExample[],
  codecs: Codecs,
): Data {
  const season = seasonVariables(asked);
  const demanded = demandedBy(running);
  const read = examples.map((example) => ({ ...readAs(args, requestOf(entry, example), codecs), ...season }));
  const complete = read.find((found) => demanded.every((name) => found[name] !== undefined)) ?? season;
  if (running.operation === OperationTypeNode.MUTATION) return complete;
  return Object.fromEntries(Object.entries(complete).filter(([name]) => demanded.includes(name) || name in season));
}
