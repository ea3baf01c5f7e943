import { choice } from '../../kernel/declare/choices.js';
import { flag, group, id, instant, money, ref, text } from '../../kernel/declare/fields.js';
import { doneBy, filterableCreator, Kept } from '../../kernel/declare/kept.js';
import { offsetInText } from '../../kernel/declare/offset-fields.js';
import { visitor } from '../../kernel/declare/policy.js';
import { record } from '../../kernel/declare/record.js';
import { wholeInText } from '../../kernel/declare/shown-fields.js';
import { staff } from '../../kernel/declare/writers.js';
import { assigned } from '../../kernel/write/slug-sql.js';
import { namesCurrency } from '../reference/currency.js';
import { Format } from '../reference/format.js';
import { Place } from '../reference/place.js';
import { PlayerGroup } from '../reference/player-group.js';
import { assignSlug } from './assign-slug.js';
import { signupWays } from './choices.js';
import { Club } from './club.js';
import { leagueFilters } from './league-filters.js';

@record(
  {
    table: 'league',
    one: 'league',
    many: 'leagues',
    read: [visitor],
    write: { by: staff() },
    names: ['title'],
    place: { latitude: 'location.latitude', longitude: 'location.longitude' },
    search: { named: 'location.state' },
    findable: () => 'not r.is_test and r.disabled_at is null',
    filters: leagueFilters,
    indexes: {
      title_part: 'using gin (nfc(title) gin_trgm_ops)',
      title_same: 'using hash (nfc(title))',
    },
    onInsert: assignSlug('league'),
  },
  'A league: a club plays it in sessions, week after week.',
)
export class League extends Kept {
  @id('Id of the league.')
  id!: string;

  @text('Address of the league page, made from the title, unique.', { ...assigned, unique: true, readOnly: true })
  slug!: string;

  @text('Title.', { max: 500 })
  title!: string | null;

  @text('URL of the logo.')
  logoUrl!: string | null;

  @ref(() => Club, { one: 'club', many: 'leagues', filterable: ['one'] }, 'Club that organizes it.')
  clubId!: string | null;

  @text('Title of the club as sent with the league, which may differ from that of `club`.')
  clubTitle!: string | null;

  @text('URL of the logo of the club as sent with the league.')
  clubLogoUrl!: string | null;

  @ref(() => Format, { one: 'format' }, 'Singles, doubles and so on.', { index: false })
  formatId!: string | null;

  @text('Title of the format as sent with the league, which may differ from that of `format`.')
  formatTitle!: string | null;

  @ref(() => PlayerGroup, { one: 'playerGroup' }, 'Group of players who can take part, such as women, men or mixed.', {
    index: false,
  })
  playerGroupId!: string | null;

  @text('Title of the player group as sent with the league, which may differ from that of `playerGroup`.')
  playerGroupTitle!: string | null;

  @text('ID of the type of league on its platform. Not the ID of a record in this graph.')
  typeId!: string | null;

  @text('Title of the type of league: free text.')
  typeTitle!: string | null;

  @text('ID of the type of player on its platform. Not the ID of a record in this graph.')
  playerTypeId!: string | null;

  @text('Title of the type of player: free text.')
  playerTypeTitle!: string | null;

  @group(() => Place, 'Where it is played.')
  location!: Place;

  @text('ID of the location on its platform. Not the ID of a record in this graph.')
  locationId!: string | null;

  @offsetInText(
    'Seconds ahead of UTC, negative west of Greenwich; sent in hours, minutes or seconds, which its size tells apart.',
  )
  utcOffset!: string | null;

  @flag('The place keeps daylight saving time.')
  hasDaylightSaving!: boolean;

  @text('ID of the session on its platform. Not the ID of a record in this graph.')
  sessionId!: string | null;

  @wholeInText('Number of the session, from 1.')
  sessionNumber!: string | null;

  @flag('The session is being played.')
  isLiveSession!: boolean;

  @flag('Players agree on when they play.')
  isFlexPlay!: boolean;

  @instant('From when on it is to be shown to the public: for pages to heed, lists have it before, too.')
  shownFrom!: string | null;

  @instant('When registration opens.')
  registrationOpensAt!: string | null;

  @instant('When registration closes.')
  registrationClosesAt!: string | null;

  @choice(signupWays, 'How players sign up and pay.')
  signup!: string | null;

  @flag('One can register online.')
  hasOnlineRegistration!: boolean;

  @flag('Players who are no members of the club may sign up.')
  allowsNonMembers!: boolean;

  @text('ISO 4217 code of the currency of fees.', { named: namesCurrency })
  currency!: string | null;

  @money('Registration fee for members of the club, in `currency`.')
  memberFee!: string | null;

  @money('Registration fee for players who are not members of the club, in `currency`.')
  nonMemberFee!: string | null;

  @wholeInText('How many players have registered, as last reported.')
  registrationCount!: string | null;

  @flag('It should not be changed any more: for pages to heed, the service does not enforce it.')
  isLocked!: boolean;

  @flag('It should only be read: for pages to heed, the service does not enforce it.')
  isReadOnly!: boolean;

  @flag('It is a test, not for players.')
  isTest!: boolean;

  @instant('When it was disabled: out of use until this is cleared; null while it is not.')
  disabledAt!: string | null;

  @text('Name of the person who disabled it, as it was sent; `disabler` is the user, where the service knows one.')
  disabledBy!: string | null;

  @doneBy('disabler', 'The user who set `disabledAt`; null where a platform alone did, and where that was not kept yet.', {
    doneAt: 'disabledAt',
  })
  disabledById!: string | null;

  @filterableCreator()
  override createdById!: string | null;
}
