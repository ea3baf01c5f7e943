import { TeamInvitation } from '../../modules/tournaments/invitations/team-invitation.js';
import type { DemoContext } from '../context.js';

/** Inserts invitations to teams of upcoming tournaments. Player one invited player two, and one in five has not answered yet. */
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
