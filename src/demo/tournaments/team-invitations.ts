import { TeamInvitation } from '../../modules/tournaments/invitations/team-invitation.js';
import type { DemoContext } from '../context.js';

/** Inserts invitations to teams of upcoming tournaments, from player one to player two. One in five is pending. */
export async function insertTeamInvitations({ insert, teams, day }: DemoContext): Promise<void> {
  const pairs = teams.filter(({ players, event }) => players.length === 2 && event.tournament.startsIn > 0);
  await insert(
    TeamInvitation,
    pairs.map(({ id, eventId, playerOneId, playerTwoId }, index) => {
      const isPending = index % 5 === 0;
      return {
        id: `invitation-${id}`,
        teamId: id,
        eventId,
        inviterId: playerOneId,
        userId: playerTwoId,
        status: isPending ? 'PENDING' : 'CONFIRMED',
        answeredAt: isPending ? null : day(-1),
        createdAt: day(-3),
        updatedAt: day(isPending ? -3 : -1),
      } as const;
    }),
  );
}
