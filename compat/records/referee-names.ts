/** Names of referee terms that legacy platforms know in another spelling than the graph's: kind, then code, then the legacy name. */
export const refereeNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PENALTY_TYPE: { 1: 'Tehnical Warning', 2: 'Tehnical Foul' },
  LOG_TYPE: { 2: 'Challange' },
  REPLAY_REASON_TYPE: { 4: 'Hinderance (Stray Ball, Toppled Net, etc.)' },
  RALLY_COMPLETED_TYPE: { 15: 'Wrong Reciever' },
};
