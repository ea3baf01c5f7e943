import { Migration } from '@mikro-orm/migrations';

export class Migration0031Codes extends Migration {
  override up(): void {
    this.addSql(`create index discount_code_code_folded_idx on discount_code (folded(nfc(code)), id)`);
  }
}
