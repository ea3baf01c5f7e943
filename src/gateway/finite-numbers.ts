import { type ASTNode, type ASTVisitFn, type FloatValueNode, type IntValueNode, Kind, type ValidationRule } from 'graphql';
import { problem } from '../kernel/declare/errors.js';

/** What a node around a value calls it; nothing where it does not. */
const nameOf = (node: ASTNode | readonly ASTNode[]): string[] => {
  if (!('kind' in node)) return [];
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value];
  return node.kind === Kind.VARIABLE_DEFINITION ? [`$${node.variable.name.value}`] : [];
};

/** Refuses numbers in a document that are greater than any that can be kept: graphql-js takes them for infinite ones, of variables it does not. */
export const finiteNumbers: ValidationRule = (context) => {
  const look: ASTVisitFn<IntValueNode | FloatValueNode> = ({ value }, _, parent, __, ancestors) => {
    if (Number.isFinite(Number(value))) return;
    const place = [...ancestors, ...(parent ? [parent] : [])].flatMap(nameOf).join('.');
    context.reportError(problem('BAD_INPUT', `${place}: expected a number up to ${Number.MAX_VALUE}`));
  };
  return { IntValue: look, FloatValue: look };
};
