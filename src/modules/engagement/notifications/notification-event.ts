import { registerEnumType } from 'type-graphql';

/** Events that users are notified about (decision 27). */
export const NotificationEvent = {
  APPROVAL_GIVEN: 'APPROVAL_GIVEN',
  APPROVAL_DECLINED: 'APPROVAL_DECLINED',
  GAME_INVITATION: 'GAME_INVITATION',
  GAME_INVITATION_DECLINED: 'GAME_INVITATION_DECLINED',
  GAME_PLACE: 'GAME_PLACE',
  GAME_CHANGED: 'GAME_CHANGED',
  GAME_CANCELED: 'GAME_CANCELED',
  LEAGUE_MESSAGE: 'LEAGUE_MESSAGE',
  TOURNAMENT_DATES_CHANGED: 'TOURNAMENT_DATES_CHANGED',
  TOURNAMENT_CANCELED: 'TOURNAMENT_CANCELED',
  TEAM_INVITATION: 'TEAM_INVITATION',
  PARTNER_ENTERED: 'PARTNER_ENTERED',
  TEAM_CONFIRMED: 'TEAM_CONFIRMED',
  TEAM_DECLINED: 'TEAM_DECLINED',
  TEAM_WITHDRAWN: 'TEAM_WITHDRAWN',
} as const;
export type NotificationEvent = keyof typeof NotificationEvent;

registerEnumType(NotificationEvent, {
  name: 'NotificationEvent',
  description: 'Event that a notification is about.',
  valuesConfig: {
    APPROVAL_GIVEN: { description: 'An image, biography or sponsor of the user was approved.' },
    APPROVAL_DECLINED: { description: 'An image or biography of the user was declined.' },
    GAME_INVITATION: { description: 'The user is invited to a game.' },
    GAME_INVITATION_DECLINED: { description: 'An invited player declined the invitation to a game of the user.' },
    GAME_PLACE: { description: 'The user moved from the waiting list of a game to a free spot.' },
    GAME_CHANGED: { description: 'A game that the user joined or is invited to has changed, such as its title, time or court.' },
    GAME_CANCELED: { description: 'A game that the user joined or is invited to was canceled.' },
    LEAGUE_MESSAGE: { description: 'A league sent a message to the user.' },
    TOURNAMENT_DATES_CHANGED: { description: 'A tournament that the user is registered for changed its dates.' },
    TOURNAMENT_CANCELED: { description: 'A tournament that the user is registered for was canceled.' },
    TEAM_INVITATION: { description: 'A player entered an event with the user as partner. The user must confirm.' },
    PARTNER_ENTERED: {
      description: 'The partner of the user entered the user in an event, or registered the user for its tournament.',
    },
    TEAM_CONFIRMED: { description: 'The invited partner confirmed the team of the user.' },
    TEAM_DECLINED: { description: 'The invited partner declined. The team of the user lost its entry in the event.' },
    TEAM_WITHDRAWN: { description: 'The partner of the user withdrew the team from an event.' },
  },
});

/** ID of the notification type of each event. Users can disable types. */
export const typeIdByEvent: Readonly<Record<NotificationEvent, string>> = {
  APPROVAL_GIVEN: '1',
  APPROVAL_DECLINED: '2',
  GAME_INVITATION: '3',
  GAME_INVITATION_DECLINED: '6',
  GAME_PLACE: '6',
  GAME_CHANGED: '6',
  GAME_CANCELED: '6',
  LEAGUE_MESSAGE: '4',
  TOURNAMENT_DATES_CHANGED: '5',
  TOURNAMENT_CANCELED: '5',
  TEAM_INVITATION: '3',
  PARTNER_ENTERED: '3',
  TEAM_CONFIRMED: '5',
  TEAM_DECLINED: '5',
  TEAM_WITHDRAWN: '5',
};

/** Kinds of subjects of notifications. */
export const NotificationSubjectKind = {
  TOURNAMENT: 'TOURNAMENT',
  LEAGUE: 'LEAGUE',
  GAME: 'GAME',
  SPONSOR: 'SPONSOR',
  SPONSOR_IMAGE: 'SPONSOR_IMAGE',
  USER_IMAGE: 'USER_IMAGE',
  BIOGRAPHY: 'BIOGRAPHY',
  TEAM_INVITATION: 'TEAM_INVITATION',
} as const;
export type NotificationSubjectKind = keyof typeof NotificationSubjectKind;

registerEnumType(NotificationSubjectKind, {
  name: 'NotificationSubjectKind',
  description: 'Kind of the subject of a notification.',
  valuesConfig: {
    TOURNAMENT: { description: 'Tournament.' },
    LEAGUE: { description: 'League.' },
    GAME: { description: 'Game of the scheduler.' },
    SPONSOR: { description: 'Sponsor of the user.' },
    SPONSOR_IMAGE: { description: 'Image of a sponsor of the user.' },
    USER_IMAGE: { description: 'Image of the user.' },
    BIOGRAPHY: { description: 'Biography of the user.' },
    TEAM_INVITATION: { description: 'Invitation of the user to a team.' },
  },
});
