import type { RecordClass } from '../../kernel/declare/meta.js';
import { Club } from '../leagues/club.js';
import { League } from '../leagues/league.js';
import { Game } from '../scheduler/game.js';
import { Tournament } from '../tournaments/tournament.js';
import type { FavoriteKind } from './favorite-kind.js';

/** What favorites point to; of clinics and courts only the ids are known here. */
export const favored: Readonly<Partial<Record<FavoriteKind, RecordClass>>> = {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  CLUB: Club,
  GAME: Game,
};
