// A minimal server, as an upper bound: node:http, pipelined pg clients and one statement. No routing, validation,
// headers, limits or log. argv: port, database URL, statement as JSON.
import { createServer } from 'node:http';
import pg from 'pg';

const [port = '', url = '', statement = ''] = process.argv.slice(2);
const { text } = JSON.parse(statement) as { text: string };
const connect = async (): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    pipeline: true,
    options: '-c plan_cache_mode=force_generic_plan -c jit=off',
  });
  await client.connect();
  return client;
};
// The server also has two connections for short statements.
const clients = [await connect(), await connect()];
let turn = 0;
createServer((request, response) => {
  const name = request.url?.split('/')[2] ?? '';
  const origin = JSON.stringify(`http://127.0.0.1/agents/${name}/metadata`);
  turn += 1;
  clients[turn % clients.length]!.query<string[]>({
    name: 'agent',
    text,
    values: [origin, name],
    rowMode: 'array',
  }).then(
    ({ rows: [row] }) => {
      const body = Buffer.from(`{"success":true,"data":${row?.[0]}false${row?.[1]}}`);
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length });
      response.end(body);
    },
    () => response.writeHead(500).end(),
  );
}).listen(Number(port), '127.0.0.1', () => console.log('up'));
