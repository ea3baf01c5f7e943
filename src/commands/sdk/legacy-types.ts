import { compile } from 'json-schema-to-typescript';
import type { Reference, ReferenceOperation } from '../../../compat/reference/operation.js';
import { referredTo } from '../../../compat/reference/schemas.js';

type Schema = Readonly<Record<string, unknown>>;

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const isDone = ({ status }: { status: number }): boolean => status < 300;

/** The values of a call, by their names: those of path, query and headers, and the body. */
function valuesOf({ name, parameters, request }: ReferenceOperation): Schema | null {
  const entries = parameters.map(({ name, meaning, schema }) => [name, { ...schema, description: meaning }] as const);
  const required = parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name);
  if (request) entries.push(['body', request.schema as Schema & { description: string }]);
  const names = entries.map(([each]) => each);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice) throw new Error(`${name} takes two values with the name ${twice}`);
  if (!entries.length) return null;
  return { type: 'object', properties: Object.fromEntries(entries), required: [...required, ...(request ? ['body'] : [])] };
}

/** What an operation answers when it is not refused; null where it answers nothing. */
function answerOf({ answers }: ReferenceOperation): Schema {
  const schemas = answers.filter(isDone).map(({ schema }) => schema ?? { type: 'null' });
  return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
}

/** What is demanded of a record without being described there, as the record describes it: the compiler would forget it. */
function demandedWith(schemas: Reference['schemas']) {
  const described = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(described);
    if (typeof value !== 'object' || value === null) return value;
    const [ref, demand] = 'allOf' in value && Array.isArray(value.allOf) ? value.allOf : [];
    const record = ref && schemas[referredTo(ref) ?? ''];
    if (!record || !demand?.required || demand.properties)
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, described(inner)]));
    const properties = Object.entries(record.properties ?? {}).filter(([name]) => demand.required.includes(name));
    return { allOf: [ref, { ...demand, properties: Object.fromEntries(properties) }] };
  };
  return described;
}

/** Schemas in the dialect of the compiler, which names them by their place. */
const placed = (schema: unknown): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"#/definitions/'));

/** The name of what an operation answers: a record alone has one already. */
const answerNameOf = (operation: ReferenceOperation): string =>
  referredTo(answerOf(operation)) ?? `${capital(operation.name)}Answer`;

function methodOf(operation: ReferenceOperation): string {
  const { name, method, path, summary, callers } = operation;
  const values = valuesOf(operation);
  const needed = (values?.required as string[] | undefined)?.length;
  const taken = values ? `values${needed ? '' : '?'}: ${capital(name)}Values` : 'values?: Record<string, never>';
  const said = [summary, callers, `\`${method} ${path}\``].filter(Boolean).join(' ').replaceAll('*/', '* /');
  return `  /** ${said} */\n  ${name}(${taken}, options?: CallOptions): Promise<${answerNameOf(operation)}>;`;
}

/** What the compiler says of each type: by which definition it has found it. */
const provenance =
  /\/\*\*\n \* This interface was[^\n]*\n \* via[^\n]*\n \*\/\n|\n \*\n \* This interface was[^\n]*\n \* via[^\n]*/g;

/** The types of the client of `/v1`: a method for each operation of the reference, named as there. */
export async function legacyTypes({ groups, schemas }: Reference): Promise<string> {
  const operations = groups.flatMap((group) => group.operations);
  const definitions = Object.fromEntries([
    ...operations.flatMap((operation): [string, Schema][] => {
      const values = valuesOf(operation);
      const name = capital(operation.name);
      return [...(values ? [[`${name}Values`, values] as [string, Schema]] : []), [answerNameOf(operation), answerOf(operation)]];
    }),
    ...Object.entries(schemas),
  ]);
  const types = await compile(placed(demandedWith(schemas)({ type: 'object', properties: {}, definitions })), 'Nothing', {
    additionalProperties: false,
    bannerComment: '',
    style: { printWidth: 130, singleQuote: true },
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
  });
  return `import type { CallOptions, ConnectionOptions } from './types/src/sdk/legacy.js';

export * from './types/src/sdk/legacy.js';

${types.replace(/export interface Nothing \{\}\n/, '').replaceAll(provenance, '')}
/** The legacy interface, a method for each of its operations. */
export interface V1Client {
${operations.map(methodOf).join('\n')}
}

/** Asks \`/v1\`. What it refuses is thrown as a LegacyError. */
export declare const v1Client: (options: ConnectionOptions) => V1Client;
`;
}

/** What the client of `/v1` runs on. */
export function legacyCode({ groups }: Reference): string {
  const namesIn = ({ parameters }: ReferenceOperation, place: string) =>
    parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
  const table = groups
    .flatMap(({ operations }) => operations)
    .map((operation) => {
      const { name, method, path, calls } = operation;
      const writes = method !== 'GET' || calls.some(({ document }) => document.startsWith('mutation'));
      const callable = { method, path, query: namesIn(operation, 'query'), headers: namesIn(operation, 'header'), writes };
      return `  ${name}: ${JSON.stringify(callable)},`;
    });
  return `import { legacyClient } from './legacy.js';

export * from './legacy.js';

const operations = {
${table.join('\n')}
};

export const v1Client = (options) => legacyClient(operations, options);
`;
}
