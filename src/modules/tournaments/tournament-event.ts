import { flag, id, instant, int, money, ref, text } from '../../kernel/declare/fields/fields.js';
import { visitor } from '../../kernel/declare/policy/policy.js';
import { staffPolicies } from '../../kernel/declare/policy/writers.js';
import { record } from '../../kernel/declare/record.js';
import { TrackedRecord } from '../../kernel/declare/tracked-record.js';
import { BracketLevel, Format, PlayerGroup } from '../reference/records/event-lookups.js';
import { canRegister } from './entries/can-register.js';
import { enteredEventIds, registeredFilter } from './entries/registered-filter-sql.js';
import { Tournament } from './tournament.js';

@record(
  {
    table: 'tournament_event',
    changeLogColumns: ['tournamentId'],
    one: 'event',
    many: 'events',
    read: [visitor],
    write: { policies: staffPolicies() },
    actionRules: { register: canRegister },
    versioned: true,
    derivedTables: ['deleted_event'],
    filters: { isViewerRegistered: registeredFilter([enteredEventIds]) },
  },
  'Tournament event that teams enter, such as Mixed Doubles 4.0.',
)
export class TournamentEvent extends TrackedRecord {
  @id('ID of the event.')
  id!: string;

  @ref(
    () => Tournament,
    { one: 'tournament', many: 'events', filterable: ['one', 'many'] },
    'Tournament that the event belongs to.',
  )
  tournamentId!: string | null;

  @text('Title, such as Mixed Doubles 4.0.', { max: 500 })
  title!: string | null;

  @ref(() => Format, { one: 'format', filterable: ['one'] }, 'Format, such as singles or doubles.', { index: false })
  formatId!: string | null;

  @ref(
    () => PlayerGroup,
    { one: 'playerGroup', filterable: ['one'] },
    'Group of players who can take part, such as women, men or mixed.',
    {
      index: false,
    },
  )
  playerGroupId!: string | null;

  @ref(() => BracketLevel, { one: 'bracketLevel', filterable: ['one'] }, 'Level of play.', { index: false })
  bracketLevelId!: string | null;

  @instant('When the event starts.')
  startsAt!: string | null;

  @money('Fee for each player, in `currency`.')
  fee!: string | null;

  @int('Maximum number of teams. Null or 0: no limit.')
  maxTeams!: number | null;

  @flag('Whether the event is canceled.')
  isCanceled!: boolean;
}
