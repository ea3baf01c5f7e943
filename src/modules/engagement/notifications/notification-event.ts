import { enumeration } from '../../../kernel/declare/enumeration.js';

/** Events that users are notified about (decision 27). */
export const NotificationEvent = enumeration('NotificationEvent', 'Event that a notification is about.', {
  APPROVAL_GIVEN: 'An image, biography or sponsor of the user was approved.',
  APPROVAL_DECLINED: 'An image or biography of the user was declined.',
  GAME_INVITATION: 'The user was invited to a game.',
  GAME_INVITATION_DECLINED: 'An invited player declined an invitation to a game of the user.',
  GAME_PLACE: 'The user moved from the waiting list of a game to a free spot.',
  GAME_CHANGED: 'A game that the user joined or is invited to has changed, for example its title, time or court.',
  GAME_CANCELED: 'A game that the user joined or is invited to was canceled.',
  LEAGUE_MESSAGE: 'A league sent a message to the user.',
  TOURNAMENT_DATES_CHANGED: 'The dates of a tournament that the user is registered for have changed.',
  TOURNAMENT_CANCELED: 'A tournament that the user is registered for was canceled.',
  TEAM_INVITATION: 'A player entered an event with the user as partner. The user must confirm.',
  PARTNER_ENTERED: "The user's partner entered the user in an event, or registered the user for its tournament.",
  TEAM_CONFIRMED: "The invited partner confirmed the user's team.",
  TEAM_DECLINED: "The invited partner declined. The user's team lost its entry in the event.",
  TEAM_WITHDRAWN: "The user's partner withdrew their team from an event.",
});
export type NotificationEvent = keyof typeof NotificationEvent;

/** ID of the notification type for each event. Users can disable types. */
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

/** Kinds of records that a notification can be about. */
export const NotificationSubjectKind = enumeration('NotificationSubjectKind', 'Kind of notification subject.', {
  TOURNAMENT: 'Tournament.',
  LEAGUE: 'League.',
  GAME: 'Game of the scheduler.',
  SPONSOR: 'Sponsor of the user.',
  SPONSOR_IMAGE: 'Image of a sponsor of the user.',
  USER_IMAGE: 'Image of the user.',
  BIOGRAPHY: 'Biography of the user.',
  TEAM_INVITATION: 'Invitation to join a team.',
});
export type NotificationSubjectKind = keyof typeof NotificationSubjectKind;
