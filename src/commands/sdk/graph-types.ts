import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

/** The graph as types, by which documents are typed. */
export function introspectionTypes(sdl: string): string {
  const introspection = minifyIntrospection(introspectionFromSchema(buildSchema(sdl), { descriptions: false }));
  const text = outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
  // What follows would make it the only graph of whoever uses the package.
  const [types = ''] = text.split(/^import \* as gqlTada/m);
  return types;
}

/** What the graph's own scalars are on the wire: all of them text, but for the one that is any JSON. */
export const scalarTypes = (sdl: string): string =>
  Object.values(buildSchema(sdl).getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => `${name}: ${name === 'JSON' ? 'Json' : 'string'}`)
    .join('; ');
