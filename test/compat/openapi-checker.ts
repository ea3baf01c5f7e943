import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../compat/engine/index.js';
import type { openApiDocument } from '../../compat/reference/index.js';

/** A request and its response, as sent over the network. */
export interface Exchange {
  /** Method and path of the operation, such as `/v1/data/teams/{uuid}`. */
  readonly operation: { readonly method: string; readonly path: string };
  readonly request: { readonly path: string; readonly body?: unknown };
  readonly status: number;
  readonly body: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

type Document = ReturnType<typeof openApiDocument>;

const pointer = (...keys: string[]): string => keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const textAs = (text: string, { type }: JsonSchema): unknown => {
  if (type === 'integer' || type === 'number') return Number(text);
  if (type === 'boolean') return { true: true, 1: true, false: false, 0: false }[text.toLowerCase()] ?? text;
  return type === 'array' ? text.split(',') : text;
};

/**
 * Returns a function that describes how an exchange violates the document, or returns null if it is valid. For rejected requests, only the
 * response is checked.
 */
export function exchangeChecker(document: Document): (exchange: Exchange) => string | null {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'document', ...document });
  const schemaErrors = ($ref: string, value: unknown, dataVar: string): string[] =>
    ajv.validate({ $ref: `document#${$ref}` }, value) ? [] : [ajv.errorsText(ajv.errors, { dataVar, separator: '\n' })];

  function* queryErrors({ parameters }: Operation, operationPointer: string, url: string): Iterable<string> {
    const query = new URL(url, 'http://localhost').searchParams;
    for (const [index, parameter] of parameters.entries()) {
      if (parameter.in !== 'query') continue;
      const text = query.get(parameter.name);
      if (text === null && parameter.required) yield `${parameter.name} is missing`;
      if (text === null || text === '') continue;
      const $ref = `${operationPointer}${pointer('parameters', String(index), 'schema')}`;
      yield* schemaErrors($ref, textAs(text, parameter.schema), parameter.name);
    }
  }

  return ({ operation: { method, path }, request, status, body }) => {
    const operation = document.paths[path]?.[method.toLowerCase()] as Operation | undefined;
    if (!operation) return 'the document has no such operation';
    const operationPointer = pointer('paths', path, method.toLowerCase());
    const response = operation.responses[status];
    if (!response) return `the document has no response ${status}`;
    const json = ['content', 'application/json', 'schema'];
    const problems = response.content
      ? schemaErrors(operationPointer + pointer('responses', String(status), ...json), body, 'response')
      : body === null
        ? []
        : ['the document has no body here'];
    if (status < 400) {
      problems.push(...queryErrors(operation, operationPointer, request.path));
      if (operation.requestBody)
        problems.push(...schemaErrors(operationPointer + pointer('requestBody', ...json), request.body ?? {}, 'request'));
    }
    return problems.length ? problems.join('\n') : null;
  };
}
