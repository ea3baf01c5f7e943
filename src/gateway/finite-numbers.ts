import { type ASTNode, Kind, type ValidationRule } from 'graphql';
import { problem } from '../kernel/declare/errors.js';

const nameOf = (node: ASTNode | readonly ASTNode[]): string[] => {
  if (!('kind' in node)) return [];
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value];
  return node.kind === Kind.VARIABLE_DEFINITION ? [`$${node.variable.name.value}`] : [];
};

/** Refuses numbers in a document that are greater than any that can be kept: graphql-js takes them for infinite ones, of variables it does not. */
export const finiteNumbers: ValidationRule = (context) => {
  const look = (
    value: string,
    ancestors: readonly (ASTNode | readonly ASTNode[])[],
    parent: ASTNode | readonly ASTNode[] | undefined,
  ) => {
    if (Number.isFinite(Number(value))) return;
    const around = ancestors.at(-1) === parent || !parent ? ancestors : [...ancestors, parent];
    context.reportError(
      problem('BAD_INPUT', `${around.flatMap(nameOf).join('.')}: expected a number up to 1.7976931348623157e308`),
    );
  };
  return {
    IntValue: ({ value }, _key, parent, _path, ancestors) => look(value, ancestors, parent),
    FloatValue: ({ value }, _key, parent, _path, ancestors) => look(value, ancestors, parent),
  };
};
