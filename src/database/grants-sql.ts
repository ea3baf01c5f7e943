import { escapeIdentifier, escapeLiteral } from 'pg';

/** Tables on which the service does not need all privileges, with the privileges to revoke. */
const unneededRights: Readonly<Record<string, string>> = {
  mikro_orm_migrations: 'insert, update, delete',
  executed_migration: 'insert, update, delete',
  audit_entry: 'update',
};

/**
 * Returns the statements that grant a role the privileges of the service: to read and write rows, and to call functions. The role cannot
 * create, change or drop tables. The owner of the tables must run the statements. The default privileges apply to tables that the owner
 * creates later.
 */
export function grantStatements(role: string): string[] {
  const name = escapeIdentifier(role);
  const schemas = 'public, jobs';
  return [
    `grant usage on schema ${schemas} to ${name}`,
    `grant select, insert, update, delete on all tables in schema ${schemas} to ${name}`,
    ...Object.entries(unneededRights).map(([table, rights]) => `revoke ${rights} on ${table} from ${name}`),
    `grant usage, select on all sequences in schema ${schemas} to ${name}`,
    // Grants privileges only on functions that the current user owns. Functions of extensions belong to an administrator, and everyone can
    // call them.
    `do $$
declare
  owned_function regprocedure;
begin
  for owned_function in
    select oid from pg_proc where pronamespace in ('public'::regnamespace, 'jobs'::regnamespace) and proowner = current_user::regrole
  loop
    execute format('grant execute on function %s to %I', owned_function, ${escapeLiteral(role)});
  end loop;
end $$`,
    `alter default privileges in schema ${schemas} grant select, insert, update, delete on tables to ${name}`,
    `alter default privileges in schema ${schemas} grant usage, select on sequences to ${name}`,
    `alter default privileges in schema ${schemas} grant execute on functions to ${name}`,
  ];
}
