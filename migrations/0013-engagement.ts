import { Migration } from '@mikro-orm/migrations';
import { logChanges } from './shared.js';

/** Creates the tables of reactions, favorites and notifications of users. */
export class Baseline0013Engagement extends Migration {
  override up(): void {
    this.addSql(`
      create table reaction (
        id text primary key,
        user_id text,
        news_item_id text,
        kind text not null, -- such as LIKE, FUNNY or SAD
        created_at timestamptz not null default clock_timestamp(),
        constraint reaction_key_unique unique (user_id, news_item_id)
      );
      create index reaction_user_id_idx on reaction (user_id, id);
      create index reaction_created_at_idx on reaction (created_at desc nulls last, id);
      create index reaction_kind_idx on reaction (news_item_id, kind);
      create index reaction_latest_idx on reaction (news_item_id, created_at desc nulls last, id);
      ${logChanges('reaction', 'Reaction')};
    `);
    this.addSql(`
      create table favorite (
        id text primary key,
        user_id text,
        kind text not null, -- TOURNAMENT, CLINIC, LEAGUE, CLUB, GAME or COURT
        subject_id text not null, -- ID of a record, or of a clinic or court on the platform
        created_at timestamptz not null default clock_timestamp(),
        constraint favorite_key_unique unique (user_id, kind, subject_id)
      );
      create index favorite_user_id_idx on favorite (user_id, id);
      create index favorite_created_at_idx on favorite (created_at desc nulls last, id);
      ${logChanges('favorite', 'Favorite', 'user_id')};
    `);
    this.addSql(`
      create table notification (
        id text primary key,
        type_id text,
        user_id text,
        created_at timestamptz not null default clock_timestamp(),
        read_at timestamptz,
        event text not null, -- such as APPROVAL_GIVEN or TOURNAMENT_CANCELED
        content text not null, -- in English
        subject_kind text, subject_id text -- record that the notification is about. Kind: such as TOURNAMENT
      );
      create index notification_user_id_idx on notification (user_id, id);
      create index notification_created_at_idx on notification (created_at desc nulls last, id);
      create index notification_unread_idx on notification (user_id, created_at desc nulls last, id) where read_at is null;
      ${logChanges('notification', 'Notification', 'user_id')};
    `);
    // Types of notifications that a user has disabled.
    this.addSql(`
      create table muted_notification (
        id text primary key,
        user_id text,
        type_id text,
        inserted_at timestamptz not null default clock_timestamp(),
        constraint muted_notification_key_unique unique (user_id, type_id)
      );
      create index muted_notification_inserted_at_idx on muted_notification (inserted_at desc nulls last, id);
      ${logChanges('muted_notification', 'MutedNotification')};
    `);
  }
}
