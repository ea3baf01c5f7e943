-- Creates the database, the extensions and two roles. Run it once as an administrator of the server:
-- psql "$ADMIN_URL" --set=owner_password=… --set=service_password=… --file=docs/deploy/roles.sql

-- Owns the tables. "courtside migrate" and "courtside import" use this role.
create role courtside_owner login password :'owner_password';
-- Reads and writes rows. The service uses this role.
create role courtside_service login password :'service_password';

-- The collation "C" sorts IDs and codes by code point, so that lists have the same order in every database.
create database courtside owner courtside_owner
  template template0 encoding 'UTF8' locale_provider libc lc_collate 'C' lc_ctype 'C.UTF-8';
revoke connect, temporary on database courtside from public;
grant connect on database courtside to courtside_service;

\connect courtside

-- earthdistance is not a trusted extension, so only a superuser or the administrator of a managed database can create it. "cascade" also
-- creates cube. The owner of the database could create the other extensions.
create extension if not exists earthdistance cascade;
create extension if not exists hstore;
create extension if not exists pg_trgm;
create extension if not exists unaccent;
