// PostGraphile 5, which plans the whole query into SQL. Smart tags declare the relations, because the tables do not.
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { makeJSONPgSmartTagsPlugin } from 'postgraphile/utils';

const foreignKey = (...keys) => ({ tags: { foreignKey: keys } });
const relations = makeJSONPgSmartTagsPlugin({
  version: 1,
  config: {
    class: {
      team: foreignKey(
        '(tournament_id) references tournament (id)|@fieldName tournament|@foreignFieldName teams',
        '(player_one_id) references app_user (id)|@fieldName playerOne',
        '(player_two_id) references app_user (id)|@fieldName playerTwo',
      ),
      tournament_referee: foreignKey(
        '(tournament_id) references tournament (id)|@fieldName tournament|@foreignFieldName referees',
        '(user_id) references app_user (id)|@fieldName user',
      ),
    },
  },
});

const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  plugins: [relations],
  grafast: { explain: false },
  grafserv: { watch: false, graphiql: false },
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'] })],
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, '127.0.0.1', () => console.log(`up at http://127.0.0.1:${server.address().port}`));
