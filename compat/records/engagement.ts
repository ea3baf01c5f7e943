import { camelExcept, constant, enumText, record } from '../engine/index.js';

/** Reactions keyed by legacy number (section 2.13). */
export const reactionNumbers = {
  1: 'LIKE',
  2: 'INTERESTING',
  3: 'FUNNY',
  4: 'FIRE',
  5: 'WOW',
  6: 'HEART',
  7: 'CELEBRATE',
  100: 'DISLIKE',
  101: 'SAD',
  102: 'ANGRY',
  103: 'CONFUSED',
};

/** Legacy names of reactions, keyed by GraphQL name. */
export const reactionNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(reactionNumbers).map((kind) => [kind, `${kind}_REACTION_TYPE`]),
);

/** GraphQL names of reactions, keyed by legacy name. */
export const reactionsByName: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(reactionNames).map(([kind, name]) => [name, kind]),
);

/** Legacy titles of favorite types (section 2.16), keyed by GraphQL enum value. */
export const favoriteTitles = { TOURNAMENT: 'Tournaments', CLINIC: 'Clinics', LEAGUE: 'Leagues', CLUB: 'Clubs' };

export const like = record('LikeItem', {
  type: 'Reaction',
  fields: 'user_uuid module_uuid module_for date_liked reaction_type_id user_first_name user_last_name user_suffix',
  paths: {
    module_uuid: 'newsItemId',
    date_liked: 'createdAt',
    reaction_type_id: 'kind',
    user_first_name: 'user.firstName',
    user_last_name: 'user.lastName',
    user_suffix: 'user.nameSuffix',
  },
  as: { module_for: constant('news'), reaction_type_id: enumText(reactionNames) },
});

export const favorite = record('FavoriteRecord', {
  type: 'Favorite',
  fields: 'uuid moduleFor moduleUuid userUuid',
  keys: camelExcept({ moduleFor: 'kind', moduleId: 'subjectId' }),
  as: { moduleFor: enumText(favoriteTitles) },
});

export const notificationSetting = record('NotificationSettingRecord', {
  type: 'NotificationSetting',
  fields: 'pushNotificationTypeId userUuid title description',
  paths: { pushNotificationTypeId: 'typeId', title: 'type.title', description: 'type.description' },
});

export const notification = record('NotificationRecord', {
  type: 'Notification',
  fields: 'id push_notification_type_id user_uuid created_at read_at event_name content notification_for notification_for_uuid',
  keys: camelExcept({
    pushNotificationTypeId: 'typeId',
    eventName: 'event',
    notificationFor: 'subjectKind',
    notificationForId: 'subjectId',
  }),
  as: {
    notification_for: enumText({
      TOURNAMENT: 'Tournaments',
      LEAGUE: 'Leagues',
      GAME: 'Games',
      SPONSOR: 'Sponsors',
      SPONSOR_IMAGE: 'Sponsor Images',
      USER_IMAGE: 'User Images',
      BIOGRAPHY: 'Biographies',
    }),
  },
});
