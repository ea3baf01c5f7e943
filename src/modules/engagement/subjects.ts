import type { RecordClass } from '../../kernel/declare/meta.js';
import { unionOf } from '../../kernel/serve/nodes.js';
import { polymorphicRelation } from '../../kernel/serve/relations.js';
import { League } from '../leagues/league.js';
import { Sponsor } from '../media/sponsors/sponsor.js';
import { SponsorImage } from '../media/sponsors/sponsor-image.js';
import { Biography } from '../media/user-content/biography.js';
import { UserImage } from '../media/user-content/user-image.js';
import { Game } from '../scheduler/games/game.js';
import { TeamInvitation } from '../tournaments/invitations/team-invitation.js';
import { Tournament } from '../tournaments/tournament.js';
import { Favorite } from './favorites/favorite.js';
import { favoriteRecords } from './favorites/save-favorite.js';
import { Notification } from './notifications/notification.js';
import type { NotificationSubjectKind } from './notifications/notification-event.js';

/** Records that notifications refer to, keyed by kind. */
const notificationRecords = {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  GAME: Game,
  SPONSOR: Sponsor,
  SPONSOR_IMAGE: SponsorImage,
  USER_IMAGE: UserImage,
  BIOGRAPHY: Biography,
  TEAM_INVITATION: TeamInvitation,
} satisfies Record<NotificationSubjectKind, RecordClass>;

export const subjectRelations = [
  polymorphicRelation(
    Favorite,
    'subject',
    { kind: 'kind', id: 'subjectId' },
    unionOf('FavoriteSubject', 'Subject of a favorite.', favoriteRecords),
    'Record that is the favorite. `kind` determines its type. Null if the record is not found or not visible to the caller, and for clinics and courts, which have no records in this graph.',
    { isFilterable: true },
  ),
  polymorphicRelation(
    Notification,
    'subject',
    { kind: 'subjectKind', id: 'subjectId' },
    unionOf('NotificationSubject', 'Subject of a notification.', notificationRecords),
    'Record that the notification is about. `subjectKind` determines its type. Null if there is no subject, or if the record is not found or not visible to the caller.',
  ),
];
