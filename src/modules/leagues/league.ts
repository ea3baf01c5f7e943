import { flag, group, id, instant, money, ref, text } from '../../kernel/fields.js';
import { Kept } from '../../kernel/kept.js';
import { visitor } from '../../kernel/policy.js';
import { record } from '../../kernel/record.js';
import { staff } from '../../kernel/writers.js';
import { Format } from '../reference/format.js';
import { PlayerGroup } from '../reference/player-group.js';
import { assignSlug } from './assign-slug.js';
import { Club } from './club.js';
import { leagueFilters } from './league-filters.js';
import { LeagueLocation } from './league-values.js';

@record(
  {
    table: 'league',
    one: 'league',
    many: 'leagues',
    read: [visitor],
    write: { by: staff() },
    filters: leagueFilters,
    indexes: { title_part: 'using gin (nfc(title) gin_trgm_ops)', title_same: 'using hash (nfc(title))' },
    onInsert: assignSlug('league'),
  },
  'A league: a club plays it in sessions, week after week (section 2.20).',
)
export class League extends Kept {
  @id('Id of the league.')
  id!: string;

  @text('Address of the league page, made from the title, unique.', { unique: true, readOnly: true })
  slug!: string | null;

  @text('Title.', { max: 500 })
  title!: string | null;

  @text('URL of the logo.')
  logo!: string | null;

  @ref(() => Club, { one: 'club', many: 'leagues' }, 'The club that holds it.')
  clubId!: string | null;

  @text('Title of the club, as the platform writes it.')
  clubTitle!: string | null;

  @text('URL of the logo of the club, as the platform tells.')
  clubLogo!: string | null;

  @ref(() => Format, { one: 'format' }, 'Singles, doubles and so on.', { index: false })
  formatId!: string | null;

  @text('Title of the format, as the platform writes it.')
  formatTitle!: string | null;

  @ref(() => PlayerGroup, { one: 'playerGroup' }, 'Who may play: women, men, mixed and so on.', { index: false })
  playerGroupId!: string | null;

  @text('Title of the player group, as the platform writes it.')
  playerGroupTitle!: string | null;

  @text('Id of the type of league on the platform.')
  typeId!: string | null;

  @text('Title of the type of league.')
  typeTitle!: string | null;

  @text('Id of the type of player on the platform.')
  playerTypeId!: string | null;

  @text('Title of the type of player.')
  playerTypeTitle!: string | null;

  @group(() => LeagueLocation, 'Where it is played.')
  location!: LeagueLocation;

  @text('Id of the location on the platform.')
  locationId!: string | null;

  @text('Offset from UTC, as the platform writes it.')
  utcOffset!: string | null;

  @flag('The place keeps daylight saving time.')
  hasDaylightSaving!: boolean;

  @text('Id of the session on the platform.')
  sessionId!: string | null;

  @text('Number of the session, as the platform writes it.')
  sessionNumber!: string | null;

  @flag('The session is being played.')
  isLiveSession!: boolean;

  @flag('Players agree on when they play.')
  isFlexPlay!: boolean;

  @instant('From when on it is shown to the public.')
  shownFrom!: string | null;

  @instant('When registration opens.')
  registrationOpensAt!: string | null;

  @instant('When registration closes.')
  registrationClosesAt!: string | null;

  @text('How players sign up and pay, as the platform writes it.')
  signupAndPaymentType!: string | null;

  @flag('One can register online.')
  hasOnlineRegistration!: boolean;

  @flag('Players who are no members of the club may sign up.')
  allowsNonMembers!: boolean;

  @money('What a registration costs members of the club.')
  memberFee!: string | null;

  @money('What a registration costs others.')
  nonMemberFee!: string | null;

  @text('How many players have registered, as the platform writes it.')
  registrationCount!: string | null;

  @flag('It is locked against changes.')
  isLocked!: boolean;

  @flag('It can only be read.')
  isReadOnly!: boolean;

  @flag('It is a test.')
  isTest!: boolean;

  @instant('When it was disabled.')
  disabledAt!: string | null;

  @text('Name of the person who disabled it.')
  disabledBy!: string | null;
}
