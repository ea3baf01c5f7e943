import { type ASTNode, type ASTVisitFn, type FloatValueNode, type IntValueNode, Kind, type ValidationRule } from 'graphql';
import { createError } from '../../kernel/declare/errors.js';

/** Path segment of a parent node of a value, or an empty array. */
const nameOf = (node: ASTNode | readonly ASTNode[]): string[] => {
  if (!('kind' in node)) return [];
  if (node.kind === Kind.ARGUMENT || node.kind === Kind.OBJECT_FIELD) return [node.name.value];
  return node.kind === Kind.VARIABLE_DEFINITION ? [`$${node.variable.name.value}`] : [];
};

/** Rejects number literals outside the range of a double. graphql-js rejects such numbers only in variables. */
export const finiteNumbers: ValidationRule = (context) => {
  const checkNumber: ASTVisitFn<IntValueNode | FloatValueNode> = ({ value }, _, parent, __, ancestors) => {
    if (Number.isFinite(Number(value))) return;
    const path = [...ancestors, ...(parent ? [parent] : [])].flatMap(nameOf).join('.');
    context.reportError(createError('BAD_INPUT', `${path}: expected a number up to ${Number.MAX_VALUE}`));
  };
  return { IntValue: checkNumber, FloatValue: checkNumber };
};
