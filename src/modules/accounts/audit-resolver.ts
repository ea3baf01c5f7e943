import { FieldResolver, Resolver, Root } from 'type-graphql';
import { columnsOf, findRecord, metaOf } from '../../kernel/declare/meta.js';
import { needs } from '../../kernel/declare/record.js';
import { AuditEntry } from './audit-entry.js';

@Resolver(() => AuditEntry)
export class AuditFields {
  @FieldResolver(() => [String], {
    description:
      'Fields that a change changed, by their names here, such as `email` or `approval.state`; columns that the graph does not show among them.',
  })
  @needs('recordType', 'columns')
  fields(@Root() { recordType, columns }: Pick<AuditEntry, 'recordType' | 'columns'>): string[] {
    const cls = findRecord(recordType);
    const keys = new Map(cls ? [...columnsOf(metaOf(cls)).values()].map(({ key, column }) => [column, key] as const) : []);
    return columns.map((column) => keys.get(column) ?? column);
  }
}
