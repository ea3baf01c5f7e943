import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/declare/context.js';
import type { RecordClass } from '../../kernel/declare/meta.js';
import { needs } from '../../kernel/declare/record.js';
import { subjectOf, unionOf } from '../../kernel/serve/subjects.js';
import type { Row } from '../../kernel/session.js';
import { League } from '../leagues/league.js';
import { Biography } from '../media/biography.js';
import { Sponsor } from '../media/sponsor.js';
import { SponsorImage } from '../media/sponsor-image.js';
import { UserImage } from '../media/user-image.js';
import { Game } from '../scheduler/game.js';
import { Tournament } from '../tournaments/tournament.js';
import { favored } from './favored.js';
import { Favorite } from './favorite.js';
import { Notification } from './notification.js';
import type { NotificationSubjectKind } from './notification-event.js';

/** What notifications point to. */
const told: Readonly<Record<NotificationSubjectKind, RecordClass>> = {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  GAME: Game,
  SPONSOR: Sponsor,
  SPONSOR_IMAGE: SponsorImage,
  USER_IMAGE: UserImage,
  BIOGRAPHY: Biography,
};

const FavoriteSubject = unionOf('FavoriteSubject', 'What a favorite points to.', () => Object.values(favored));
const NotificationSubject = unionOf('NotificationSubject', 'What a notification points to.', () => Object.values(told));

@Resolver(() => Favorite)
export class FavoriteSubjects {
  @needs('kind', 'subjectId')
  @FieldResolver(() => FavoriteSubject, {
    nullable: true,
    description:
      'What it points to: a record of the kind in `kind`. Null where no record has that id or the caller does not see it, and for clinics and courts, of which only the id is known.',
  })
  subject(
    @Root() { kind, subjectId }: Pick<Favorite, 'kind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> | null {
    const record = favored[kind];
    return record ? subjectOf(context, record, subjectId, info) : null;
  }
}

@Resolver(() => Notification)
export class NotificationSubjects {
  @needs('subjectKind', 'subjectId')
  @FieldResolver(() => NotificationSubject, {
    nullable: true,
    description:
      'What it points to: a record of the kind in `subjectKind`. Null where it points to nothing, the record is gone, or the caller does not see it.',
  })
  subject(
    @Root() { subjectKind, subjectId }: Pick<Notification, 'subjectKind' | 'subjectId'>,
    @Ctx() context: Context,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Row | null> | null {
    return subjectKind && subjectId ? subjectOf(context, told[subjectKind], subjectId, info) : null;
  }
}
