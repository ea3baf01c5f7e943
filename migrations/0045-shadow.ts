import { Migration } from '@mikro-orm/migrations';

/** What the answers of this service and of the old server have in common: processes count in memory and add what they counted, as they do calls. */
export class Migration0045Shadow extends Migration {
  override up(): void {
    const whose = `"day" date not null, "caller" text not null, "platform_id" text not null default '', "route" text not null`;
    this.addSql(
      `create table shadow_read (
         ${whose},
         "same" bigint not null,
         "different" bigint not null,
         "unanswered" bigint not null,
         "dropped" bigint not null,
         primary key (day, caller, platform_id, route)
       )`,
    );
    this.addSql('create index shadow_read_platform_id_idx on shadow_read (platform_id, day)');
    this.addSql(
      `create table shadow_difference (
         ${whose},
         "kind" text not null,
         "path" text not null,
         "times" bigint not null,
         "first_seen_at" timestamptz not null,
         "last_seen_at" timestamptz not null,
         primary key (day, caller, platform_id, route, kind, path)
       )`,
    );
    this.addSql('create index shadow_difference_platform_id_idx on shadow_difference (platform_id, day)');
  }
}
