import { registerEnumType } from 'type-graphql';

/** What users are told of (decision 27). */
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
  description: 'What a notification is about.',
  valuesConfig: {
    APPROVAL_GIVEN: { description: 'An image, biography or sponsor of the user was approved.' },
    APPROVAL_DECLINED: { description: 'An image or biography of the user was declined.' },
    GAME_INVITATION: { description: 'The user is invited to a game.' },
    GAME_INVITATION_DECLINED: { description: 'An invited player declined the invitation to a game of the user.' },
    GAME_PLACE: { description: 'A place in a game is free, and the user, who waited for one, has it.' },
    GAME_CHANGED: { description: 'A game that the user joined or is invited to has changed, such as its title, time or court.' },
    GAME_CANCELED: { description: 'A game that the user joined or is invited to was called off.' },
    LEAGUE_MESSAGE: { description: 'A league wrote to the user.' },
    TOURNAMENT_DATES_CHANGED: { description: 'A tournament that the user is registered for changed its dates.' },
    TOURNAMENT_CANCELED: { description: 'A tournament that the user is registered for was canceled.' },
    TEAM_INVITATION: { description: 'A player has entered an event with the user as the partner, who is asked to confirm.' },
    PARTNER_ENTERED: {
      description: 'The partner of the user has entered the user in an event, or registered the user for its tournament.',
    },
    TEAM_CONFIRMED: { description: 'The partner whom the user invited plays.' },
    TEAM_DECLINED: { description: 'The partner whom the user invited does not play: the team has lost its place.' },
    TEAM_WITHDRAWN: { description: 'The partner of the user has withdrawn the team from an event.' },
  },
});

/** The type, among those that users can switch off, to which an event belongs: ids of the lookup. */
export const typeOfEvent: Readonly<Record<NotificationEvent, string>> = {
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

/** What a notification points to. */
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
  description: 'Kind of what a notification points to.',
  valuesConfig: {
    TOURNAMENT: { description: 'A tournament.' },
    LEAGUE: { description: 'A league.' },
    GAME: { description: 'A game of the scheduler.' },
    SPONSOR: { description: 'A sponsor of the user.' },
    SPONSOR_IMAGE: { description: 'An image of a sponsor of the user.' },
    USER_IMAGE: { description: 'An image of the user.' },
    BIOGRAPHY: { description: 'A biography of the user.' },
    TEAM_INVITATION: { description: 'The user is invited to play in a team.' },
  },
});
