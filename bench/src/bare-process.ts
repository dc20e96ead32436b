/**
 * The baseline for the cloud: Fastify and pg with nothing between them, which answer the same bytes
 * from the same statements, and hash as many passwords. No token is checked; nothing is validated, logged or
 * counted.
 */
import 'reflect-metadata';
import { fastify } from 'fastify';
import type { AddressInfo } from 'node:net';
import { RequestContext } from '@cumulet/common/context/request-context';
import { asId } from '@cumulet/common/context/ids';
import { shapeOf } from '@cumulet/common/database/rows';
import { computeService } from '@cumulet/compute/service';
import { identitySettings } from '@cumulet/identity/config';
import { PasswordHasher } from '@cumulet/identity/passwords/password-hasher';
import { Server } from '@cumulet/compute/servers/server.entity';
import { serverView } from '@cumulet/compute/servers/server.view';
import pg from 'pg';
import { report } from './protocol.js';

const [databaseUrl = '', projectId = '', baseUrl = ''] = process.argv.slice(2);
const NO_HOSTS: ReadonlyMap<string, string> = new Map();

// Only for the entity's column list: no statement runs through it.
const dataSource = await computeService.dataSource(databaseUrl, 2).initialize();
const { table, columns } = shapeOf(dataSource.manager, Server);
await dataSource.destroy();

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
const ctx = new RequestContext({
  requestId: asId('req-bench'),
  userId: asId('bench'),
  projectId: asId(projectId),
  roles: ['member', 'reader'],
  manager: dataSource.manager,
  baseUrl,
});

const app = fastify();
app.get<{ Params: { id: string } }>('/servers/:id', async ({ params }) => {
  const { rows } = await pool.query<Server>(
    `SELECT ${columns} FROM ${table} WHERE id = $1 AND project_id = $2`,
    [params.id, projectId],
  );
  return { server: rows[0] && serverView(ctx, rows[0], NO_HOSTS) };
});
app.get('/servers/detail', async () => {
  const { rows } = await pool.query<Server>(
    `SELECT ${columns} FROM ${table} WHERE project_id = $1 AND true ORDER BY created_at desc, id desc LIMIT $2`,
    [projectId, 1001],
  );
  return { servers: rows.map((row) => serverView(ctx, row, NO_HOSTS)) };
});
// Of a login, only its argon2id, at identity's default cost.
const password = 'the password of the bench';
const hasher = new PasswordHasher({
  passwordMemory: identitySettings.passwordMemory.read(undefined),
  passwordPasses: identitySettings.passwordPasses.read(undefined),
});
const hashed = await hasher.hash(password);
app.post('/v3/auth/tokens', async () => ({ token: await hasher.verify(hashed, password) }));
await app.listen({ port: 0, host: '127.0.0.1' });
report({ kind: 'bare', url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` });
