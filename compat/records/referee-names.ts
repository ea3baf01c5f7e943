/** Misspelled names of referee terms in `/v1`, by kind and code. GraphQL has the correct titles. */
export const refereeNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PENALTY_TYPE: { 1: 'Tehnical Warning', 2: 'Tehnical Foul' },
  LOG_TYPE: { 2: 'Challange' },
  REPLAY_REASON_TYPE: { 4: 'Hinderance (Stray Ball, Toppled Net, etc.)' },
  RALLY_COMPLETED_TYPE: { 15: 'Wrong Reciever' },
};
