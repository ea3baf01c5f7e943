import { Migration } from '@mikro-orm/migrations';

/** What a search over several records finds their rows by, as `folded(nfc(title))` of tournaments was already. */
export class Migration0022Search extends Migration {
  override up(): void {
    for (const table of ['league', 'club', 'news_item'])
      this.addSql(`create index if not exists ${table}_title_search_idx on ${table} using gin (folded(nfc(title)) gin_trgm_ops)`);
    this.addSql(
      `create index if not exists app_user_first_name_last_name_search_idx on app_user using gin (folded(nfc(coalesce(first_name, '') || ' ' || coalesce(last_name, ''))) gin_trgm_ops)`,
    );
  }
}
