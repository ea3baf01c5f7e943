import type { RecordClass } from '../../../kernel/declare/meta.js';
import { Club } from '../../leagues/club.js';
import { League } from '../../leagues/league.js';
import { Game } from '../../scheduler/games/game.js';
import { Tournament } from '../../tournaments/tournament.js';
import type { FavoriteKind } from './favorite-kind.js';

/** Records of favorites, by kind. Clinics and courts have no records in this service. */
export const favoriteRecords: Readonly<Partial<Record<FavoriteKind, RecordClass>>> = {
  TOURNAMENT: Tournament,
  LEAGUE: League,
  CLUB: Club,
  GAME: Game,
};
