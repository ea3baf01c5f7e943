import { compile } from 'json-schema-to-typescript';
import type { Reference, ReferenceOperation } from '../../../compat/reference/operation.js';
import { referencedName } from '../../../compat/reference/schemas.js';

type Schema = Readonly<Record<string, unknown>>;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
/** Whether a response is a success for the client. Only updates that change nothing respond with 304, because the client sends no ETags. */
const isSuccess = (status: number, method: string): boolean => status < 300 || (status === 304 && method !== 'GET');

/** Returns the schema of the argument of a method: an object with the parameters and `body`. Null if the method has neither. */
function argumentsSchemaOf({ name, parameters, request }: ReferenceOperation): Schema | null {
  const entries = parameters.map(({ name, meaning, schema }) => [name, { ...schema, description: meaning }] as const);
  const requiredNames = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  if (request) entries.push(['body', request.schema as Schema & { description: string }]);
  const names = entries.map(([name]) => name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate) throw new Error(`${name} has two parameters named ${duplicate}`);
  if (!entries.length) return null;
  return { type: 'object', properties: Object.fromEntries(entries), required: [...requiredNames, ...(request ? ['body'] : [])] };
}

/** Returns the schema of the successful responses of an operation. A response without a body has the type `null`. */
function responseSchemaOf({ responses, method }: ReferenceOperation): Schema {
  const schemas = responses.filter(({ status }) => isSuccess(status, method)).map(({ schema }) => schema ?? { type: 'null' });
  return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
}

/**
 * Returns a function that adds the schemas of required properties to schemas that list only their names. Otherwise, `compile` would ignore
 * the names.
 */
function addRequiredProperties(schemas: Reference['schemas']) {
  const transform = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(transform);
    if (typeof value !== 'object' || value === null) return value;
    const [ref, constraint] = 'allOf' in value && Array.isArray(value.allOf) ? value.allOf : [];
    const record = ref && schemas[referencedName(ref) ?? ''];
    if (!record || !constraint?.required || constraint.properties)
      return Object.fromEntries(Object.entries(value).map(([key, property]) => [key, transform(property)]));
    const properties = Object.entries(record.properties ?? {}).filter(([name]) => constraint.required.includes(name));
    return { allOf: [ref, { ...constraint, properties: Object.fromEntries(properties) }] };
  };
  return transform;
}

/** Converts references to the form `#/definitions/…`, which `compile` expects. */
const withDefinitions = (schema: unknown): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/definitions/'));

/** Returns the name of the response type of an operation. If the response is a single record, this is the name of the record. */
const responseNameOf = (operation: ReferenceOperation): string =>
  referencedName(responseSchemaOf(operation)) ?? `${capital(operation.name)}Response`;

function methodOf(operation: ReferenceOperation): string {
  const { name, method, path, summary, callers } = operation;
  const values = argumentsSchemaOf(operation);
  const requiredCount = (values?.required as string[] | undefined)?.length;
  const parameter = values ? `values${requiredCount ? '' : '?'}: ${capital(name)}Values` : 'values?: Record<string, never>';
  const comment = [summary, callers, `\`${method} ${path}\``].filter(Boolean).join(' ').replaceAll('*/', '* /');
  return `  /** ${comment} */\n  ${name}(${parameter}, options?: CallOptions): Promise<${responseNameOf(operation)}>;`;
}

/** Matches the comments about the origin of a type, which `compile` adds. */
const provenance =
  /\/\*\*\n \* This interface was[^\n]*\n \* via[^\n]*\n \*\/\n|\n \*\n \* This interface was[^\n]*\n \* via[^\n]*/g;

/** Prints the type declarations of the `/v1` client. Its methods have the names of the operations in the reference. */
export async function legacyTypes({ groups, schemas }: Reference): Promise<string> {
  const operations = groups.flatMap((group) => group.operations);
  const definitions = Object.fromEntries([
    ...operations.flatMap((operation): [string, Schema][] => {
      const values = argumentsSchemaOf(operation);
      const name = capital(operation.name);
      return [
        ...(values ? [[`${name}Values`, values] as [string, Schema]] : []),
        [responseNameOf(operation), responseSchemaOf(operation)],
      ];
    }),
    ...Object.entries(schemas),
  ]);
  const types = await compile(
    withDefinitions(addRequiredProperties(schemas)({ type: 'object', properties: {}, definitions })),
    'Placeholder',
    {
      additionalProperties: false,
      bannerComment: '',
      style: { printWidth: 130, singleQuote: true },
      ignoreMinAndMaxItems: true,
      unreachableDefinitions: true,
    },
  );
  return `import type { CallOptions, ConnectionOptions } from './types/src/sdk/legacy.js';

export * from './types/src/sdk/legacy.js';

${types.replace(/export interface Placeholder \{\}\n/, '').replaceAll(provenance, '')}
/** Client of the legacy REST interface. It has one method per operation. */
export interface V1Client {
${operations.map(methodOf).join('\n')}
}

/** Creates a client of \`/v1\`. Its methods throw a \`LegacyError\` for error responses. */
export declare const createV1Client: (options: ConnectionOptions) => V1Client;
`;
}

/** Prints the code of the `/v1` client. */
export function legacyCode({ groups }: Reference): string {
  const namesIn = ({ parameters }: ReferenceOperation, location: string) =>
    parameters.filter((parameter) => parameter.in === location).map(({ name }) => name);
  const table = groups
    .flatMap(({ operations }) => operations)
    .map((operation) => {
      const { name, method, path, calls } = operation;
      const writes = method !== 'GET' || calls.some(({ document }) => document.startsWith('mutation'));
      const format = { method, path, query: namesIn(operation, 'query'), headers: namesIn(operation, 'header'), writes };
      return `  ${name}: ${JSON.stringify(format)},`;
    });
  return `import { createLegacyClient } from './legacy.js';

export * from './legacy.js';

const operations = {
${table.join('\n')}
};

export const createV1Client = (options) => createLegacyClient(operations, options);
`;
}
