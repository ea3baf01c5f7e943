import { Migration } from '@mikro-orm/migrations';
import { approvalState, auditWrites, logChanges, reportedByDefault, tracked } from './shared.js';

/** Creates the tables of sponsors, images and biographies of users. They become public after an approval by other users. */
export class Baseline0010Media extends Migration {
  override up(): void {
    this.createSponsors();
    this.createProfiles();
    this.createApprovals();
    this.showApprovedImages();
  }

  private createSponsors(): void {
    this.addSql(`
      create table sponsor (
        id text primary key,
        user_id text, -- owner. The table sponsorship has all users of the sponsor
        title text,
        url text,
        description text,
        display_order double precision, -- ascending. Null sorts like 0
        ${reportedByDefault},
        started_at timestamptz, -- start of the sponsorship of the owner
        disabled_at timestamptz,
        is_primary boolean not null default false, -- main sponsor of the owner
        ${approvalState},
        ${tracked}
      );
      create index sponsor_user_id_idx on sponsor (user_id, id);
      create index sponsor_reported_created_at_idx on sponsor (reported_created_at desc nulls last, id);
      create index sponsor_pending_idx on sponsor (reported_created_at desc nulls last, id) where approval_state = 'PENDING';
      create index sponsor_created_at_idx on sponsor (created_at desc nulls last, id);
      create index sponsor_title_trigram_idx on sponsor using gin (nfc(title) gin_trgm_ops);
      create index sponsor_display_order_idx on sponsor (coalesce(display_order, 0), reported_created_at desc nulls last, id);
      ${auditWrites('sponsor', 'Sponsor', 'userId', 'disabledAt', 'approval.state', 'approval.declinedAt')};
      ${logChanges('sponsor', 'Sponsor', 'user_id', 'created_by_id', 'approval_state')};
    `);
    this.addSql(`
      create table sponsor_image (
        id text primary key,
        sponsor_id text,
        url text,
        display_order double precision, -- ascending. Null sorts like 0
        disabled_at timestamptz,
        is_primary boolean not null default false,
        size text, -- free text, such as small
        color text, -- free text, such as light
        ${approvalState},
        ${tracked}
      );
      create index sponsor_image_sponsor_id_idx on sponsor_image (sponsor_id, id);
      create index sponsor_image_created_at_idx on sponsor_image (created_at desc nulls last, id);
      create index sponsor_image_pending_idx on sponsor_image (created_at desc nulls last, id) where approval_state = 'PENDING';
      ${auditWrites('sponsor_image', 'SponsorImage', 'sponsorId', 'disabledAt', 'approval.state', 'approval.declinedAt')};
      ${logChanges('sponsor_image', 'SponsorImage', 'sponsor_id', 'approval_state')};
    `);
    this.addSql(`
      create table sponsorship (
        id text primary key,
        sponsor_id text,
        user_id text,
        started_at timestamptz,
        is_primary boolean not null default false,
        ${tracked},
        constraint sponsorship_key_unique unique (sponsor_id, user_id)
      );
      create index sponsorship_sponsor_id_idx on sponsorship (sponsor_id, id);
      create index sponsorship_user_id_idx on sponsorship (user_id, id);
      create index sponsorship_created_at_idx on sponsorship (created_at desc nulls last, id);
      ${auditWrites('sponsorship', 'Sponsorship', 'sponsorId', 'userId')};
      ${logChanges('sponsorship', 'Sponsorship', 'sponsor_id')};
    `);
  }

  private createProfiles(): void {
    this.addSql(`
      create table user_image (
        id text primary key,
        user_id text,
        type text not null, -- PROFILE, COVER, FEATURED or ACTION
        url text,
        ${reportedByDefault},
        ${approvalState},
        ${tracked}
      );
      create index user_image_user_id_idx on user_image (user_id, id);
      create index user_image_reported_created_at_idx on user_image (reported_created_at desc nulls last, id);
      create index user_image_pending_idx on user_image (reported_created_at desc nulls last, id) where approval_state = 'PENDING';
      create index user_image_created_at_idx on user_image (created_at desc nulls last, id);
      ${auditWrites('user_image', 'UserImage', 'userId', 'type', 'approval.state', 'approval.declinedAt')};
      ${logChanges('user_image', 'UserImage', 'user_id', 'approval_state')};
    `);
    this.addSql(`
      create table biography (
        id text primary key,
        user_id text,
        text text,
        ${reportedByDefault},
        ${approvalState},
        ${tracked}
      );
      create index biography_user_id_idx on biography (user_id, id);
      create index biography_reported_created_at_idx on biography (reported_created_at desc nulls last, id);
      create index biography_pending_idx on biography (reported_created_at desc nulls last, id) where approval_state = 'PENDING';
      create index biography_created_at_idx on biography (created_at desc nulls last, id);
      ${auditWrites('biography', 'Biography', 'userId', 'approval.state', 'approval.declinedAt')};
      ${logChanges('biography', 'Biography', 'user_id', 'approval_state')};
    `);
  }

  /** Creates the tables of approvals and comments. They belong to a sponsor, an image or a biography. */
  private createApprovals(): void {
    this.addSql(`
      create table approval (
        id text primary key,
        item_type text not null, -- SPONSOR, SPONSOR_IMAGE, USER_IMAGE or BIOGRAPHY
        item_id text not null,
        approved_at timestamptz not null default clock_timestamp(),
        approved_by_id text, approved_by_platform_id text, -- exactly one is set
        canceled_at timestamptz, -- null while the approval counts
        canceled_by_id text, canceled_by_platform_id text -- exactly one is set if the approval is canceled
      );
      create index approval_item_id_idx on approval (item_id, id);
      create index approval_approved_at_idx on approval (approved_at desc nulls last, id);
      create index approval_approved_by_id_idx on approval (approved_by_id, id);
      ${auditWrites('approval', 'Approval', 'itemType', 'itemId', 'approvedById', 'approvedByPlatformId', 'canceledAt', 'canceledById', 'canceledByPlatformId')};
      ${logChanges('approval', 'Approval', 'item_id')};
    `);
    this.addSql(`
      create table approval_comment (
        id text primary key,
        item_id text not null,
        content text not null,
        modified_at timestamptz, -- null if the text was never changed
        author_id text, -- null if a platform wrote it
        platform_id text,
        ${tracked}
      );
      create index approval_comment_item_id_idx on approval_comment (item_id, id);
      create index approval_comment_created_at_idx on approval_comment (created_at desc nulls last, id);
      create index approval_comment_author_id_idx on approval_comment (author_id, id);
      ${logChanges('approval_comment', 'ApprovalComment', 'item_id', 'author_id')};
    `);
  }

  /**
   * Sets the image of a user to the newest approved profile image after every approval, removal or deletion. own_image_url stores the URL that was
   * set for the user. It is used again if there is no approved image.
   */
  private showApprovedImages(): void {
    this.addSql(`
      create function newest_profile_image(owner_id text) returns text language sql stable as $$
        select url from public.user_image
        where user_id = owner_id and type = 'PROFILE' and approval_state = 'APPROVED' and url <> ''
        order by reported_created_at desc nulls last, created_at desc, id desc limit 1
      $$
    `);
    // Clients may send the image URL that they have read. The URL of the approved image is ignored.
    this.addSql(`
      create function set_profile_image() returns trigger language plpgsql as $$
      begin
        if tg_op = 'INSERT' then
          new.approved_image_url := public.newest_profile_image(new.id);
          if new.approved_image_url is not null then
            new.own_image_url := new.image_url;
            new.image_url := new.approved_image_url;
          end if;
        elsif new.approved_image_url is distinct from old.approved_image_url then
          if old.approved_image_url is null then new.own_image_url := new.image_url; end if;
          new.image_url := coalesce(new.approved_image_url, new.own_image_url);
          if new.approved_image_url is null then new.own_image_url := null; end if;
        elsif new.approved_image_url is not null and new.image_url is distinct from old.image_url then
          new.own_image_url := new.image_url;
          new.image_url := new.approved_image_url;
        end if;
        return new;
      end
      $$;
      create trigger set_profile_image before insert or update of image_url, approved_image_url on app_user
        for each row execute function set_profile_image();
    `);
    // Locks the user first, so that concurrent approvals of two images select the newer image.
    this.addSql(`
      create function refresh_profile_images() returns trigger language plpgsql as $$
      begin
        perform from public.app_user where id in (old.user_id, new.user_id) order by id for no key update;
        update public.app_user u
        set approved_image_url = public.newest_profile_image(u.id), version = u.version + 1, updated_at = clock_timestamp()
        where u.id in (old.user_id, new.user_id) and u.approved_image_url is distinct from public.newest_profile_image(u.id);
        return null;
      end
      $$
    `);
    const isShown = (row: string) => `${row}.type = 'PROFILE' and ${row}.approval_state = 'APPROVED'`;
    this.addSql(`
      create trigger profile_image_added after insert on user_image for each row
        when (${isShown('new')}) execute function refresh_profile_images();
      create trigger profile_image_changed after update on user_image for each row
        when (${isShown('old')} or ${isShown('new')}) execute function refresh_profile_images();
      create trigger profile_image_deleted after delete on user_image for each row
        when (${isShown('old')}) execute function refresh_profile_images();
    `);
  }
}
