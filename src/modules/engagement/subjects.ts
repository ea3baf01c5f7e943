import type { RecordClass } from '../../kernel/declare/meta.js';
import { subject } from '../../kernel/serve/relations.js';
import { unionOf } from '../../kernel/serve/subjects.js';
import { League } from '../leagues/league.js';
import { Biography } from '../media/biography.js';
import { Sponsor } from '../media/sponsor.js';
import { SponsorImage } from '../media/sponsor-image.js';
import { UserImage } from '../media/user-image.js';
import { Game } from '../scheduler/game.js';
import { TeamInvitation } from '../tournaments/team-invitation.js';
import { Tournament } from '../tournaments/tournament.js';
import { favored } from './favored.js';
import { Favorite } from './favorite.js';
import { Notification } from './notification.js';
import type { NotificationSubjectKind } from './notification-event.js';

/** What notifications point to. */
const told = {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  GAME: Game,
  SPONSOR: Sponsor,
  SPONSOR_IMAGE: SponsorImage,
  USER_IMAGE: UserImage,
  BIOGRAPHY: Biography,
  TEAM_INVITATION: TeamInvitation,
} satisfies Record<NotificationSubjectKind, RecordClass>;

export const subjects = [
  subject(
    Favorite,
    'subject',
    { kind: 'kind', id: 'subjectId' },
    unionOf('FavoriteSubject', 'What a favorite points to.', favored),
    'What it points to: a record of the kind in `kind`. Null where no record has that id or the caller does not see it, and for clinics and courts, of which only the id is known.',
    { isFilterable: true },
  ),
  subject(
    Notification,
    'subject',
    { kind: 'subjectKind', id: 'subjectId' },
    unionOf('NotificationSubject', 'What a notification points to.', told),
    'What it points to: a record of the kind in `subjectKind`. Null where it points to nothing, the record is gone, or the caller does not see it.',
  ),
];
