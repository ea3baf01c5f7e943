import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

/** Prints the introspection result of the schema as a TypeScript type. The types of documents are derived from it. */
export function introspectionTypes(sdl: string): string {
  const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(sdl), { descriptions: false }));
  const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  // The rest would register this schema globally. Users of the package could then not add another schema.
  const [types = ''] = text.split(/^import \* as gqlTada/m);
  return types;
}

/** TypeScript types of custom scalars. They are strings, except `JSON`. */
export const scalarTypes = (sdl: string): string =>
  Object.values(buildSchema(sdl).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => `${name}: ${name === 'JSON' ? 'Json' : 'string'}`)
    .join('; ');
