import { type GraphQLField, getNamedType, isLeafType, isNonNullType } from 'graphql';
import { graphOfModules } from '../../src/gateway/graph.js';
import { ownershipOf } from '../../src/gateway/ownership.js';
import { modules } from '../../src/modules/index.js';

const schema = graphOfModules();
const ownership = ownershipOf(modules);
const mutations = schema.getMutationType()?.getFields() ?? {};

/** The fields of a record that other modules contribute and that need no arguments, as they are selected. */
const contributed = (type: string): { name: string; selection: string }[] => {
  const found = schema.getType(type);
  const fields: GraphQLField<unknown, unknown>[] = found && 'getFields' in found ? Object.values(found.getFields()) : [];
  return fields
    .filter(
      ({ name, args }) =>
        ownership.ownerOf(type, name) !== ownership.home.get(type) && !args.some((arg) => isNonNullType(arg.type)),
    )
    .map(({ name, type: of }) => ({ name, selection: isLeafType(getNamedType(of)) ? name : `${name} { __typename }` }));
};

/** Every mutation that deletes a record of which other modules know something, with what makes one and what is asked of it. */
export const deletes = Object.values(mutations).flatMap(({ name, type }) => {
  const record = getNamedType(type).name;
  const fields = name.startsWith('delete') && ownership.records.has(record) ? contributed(record) : [];
  const create = [`upsert${name.slice('delete'.length)}`, `create${name.slice('delete'.length)}`].find((made) => mutations[made]);
  return fields.length && create && mutations[name]?.args.some((arg) => arg.name === 'id')
    ? [
        {
          name,
          nulls: Object.fromEntries(fields.map((field) => [field.name, null])),
          create: (id: string) => `mutation { made: ${create}(input: { id: "${id}" }) { id } }`,
          run: (id: string) =>
            `mutation { gone: ${name}(id: "${id}") { id createdAt ${fields.map(({ selection }) => selection).join(' ')} } }`,
        },
      ]
    : [];
});
