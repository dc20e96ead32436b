/**
 * The baseline for the cloud: Fastify and pg with nothing between them, which answer the same bytes
 * from the same rows, and hash as many passwords. No caller is checked; nothing is validated, logged
 * or counted. Of a token's validation there is its signature.
 */
import 'reflect-metadata';
import { fastify } from 'fastify';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { RequestContext } from '@cumulet/common/context/request-context';
import { asId } from '@cumulet/common/context/ids';
import { shapeOf } from '@cumulet/common/database/rows';
import { viewIn } from '@cumulet/common/http/shown';
import { viewsOf } from '@cumulet/common/resources/resource.view';
import type { Service } from '@cumulet/common/app/define-service';
import { Flavor, FlavorView } from '@cumulet/compute/flavors/flavor.resource';
import { computeService } from '@cumulet/compute/service';
import { identitySettings } from '@cumulet/identity/config';
import { PasswordHasher } from '@cumulet/identity/users/passwords/password-hasher';
import { Server } from '@cumulet/compute/servers/server.entity';
import { serverView } from '@cumulet/compute/servers/server.view';
import { Image } from '@cumulet/images/images/image.entity';
import { imageView } from '@cumulet/images/images/image.view';
import { imagesService } from '@cumulet/images/service';
import { LoadBalancer } from '@cumulet/loadbalancer/tree/load-balancer.entity';
import { loadBalancerResource } from '@cumulet/loadbalancer/load-balancers/load-balancer.resource';
import { loadBalancerService } from '@cumulet/loadbalancer/service';
import { orchestrationService } from '@cumulet/orchestration/service';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import pg from 'pg';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { bareStacks } from './bare-stacks.js';
import { report, type BareOptions } from './protocol.js';

const [options] = (await once(process, 'message')) as [BareOptions];
const { databaseUrls, projectId, baseUrl, identityUrl } = options;
const NO_HOSTS: ReadonlyMap<string, string> = new Map();

const compute = await sourceOf(computeService, databaseUrls.compute);
const images = await sourceOf(imagesService, databaseUrls.images);
const balancers = await sourceOf(loadBalancerService, databaseUrls.loadBalancers);
const orchestration = await sourceOf(orchestrationService, options.stacks.databaseUrl);

/** Only for the entities' column lists: no statement runs through it. */
async function sourceOf(service: Service, url: string): Promise<DataSource> {
  const dataSource = await service.dataSource(url, 2).initialize();
  await dataSource.destroy();
  return dataSource;
}

function selectFrom({ manager }: DataSource, entity: EntityTarget<ObjectLiteral>): string {
  const { table, columns } = shapeOf(manager, entity);
  return `SELECT ${columns} FROM ${table}`;
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const computePool = new pg.Pool({ connectionString: databaseUrls.compute, max: 10 });
const imagesPool = new pg.Pool({ connectionString: databaseUrls.images, max: 10 });
const balancersPool = new pg.Pool({ connectionString: databaseUrls.loadBalancers, max: 10 });
const ctx = new RequestContext({
  requestId: asId('req-bench'),
  userId: asId('bench'),
  projectId: asId(projectId),
  roles: ['member', 'reader'],
  manager: compute.manager,
  baseUrl,
});

const app = fastify();
const selectServers = selectFrom(compute, Server);
app.get<{ Params: { id: string } }>('/servers/:id', async ({ params }) => {
  const sql = `${selectServers} WHERE id = $1 AND project_id = $2`;
  const { rows } = await computePool.query<Server>(sql, [params.id, projectId]);
  return { server: rows[0] && serverView(ctx, rows[0], NO_HOSTS) };
});
app.get('/servers/detail', async () => {
  const sql = `${selectServers} WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1001`;
  const { rows } = await computePool.query<Server>(sql, [projectId]);
  return { servers: rows.map((row) => serverView(ctx, row, NO_HOSTS)) };
});
const selectFlavors = selectFrom(compute, Flavor);
const viewFlavor = viewIn(ctx, FlavorView);
app.get('/flavors/detail', async () => {
  const sql = `${selectFlavors} WHERE is_public ORDER BY id LIMIT 1001`;
  const { rows } = await computePool.query<Flavor>(sql);
  return { flavors: rows.map(viewFlavor) };
});
const selectImages = selectFrom(images, Image);
app.get('/v2/images', async () => {
  const sql = `${selectImages} WHERE owner = $1 ORDER BY created_at DESC, id DESC LIMIT 26`;
  const { rows } = await imagesPool.query<Image>(sql, [projectId]);
  return {
    images: rows.map((row) => imageView(row, 'file')),
    first: '/v2/images',
    schema: '/v2/schemas/images',
  };
});
const selectBalancers = selectFrom(balancers, LoadBalancer);
const balancerViews = viewsOf(loadBalancerResource);
app.get('/v2.0/lbaas/loadbalancers', async () => {
  const sql = `${selectBalancers} WHERE project_id = $1 ORDER BY created_at, id`;
  const { rows } = await balancersPool.query<LoadBalancer>(sql, [projectId]);
  return { loadbalancers: rows.map((row) => balancerViews.show(ctx, row)) };
});
app.get<{ Params: { id: string } }>('/v2.0/lbaas/loadbalancers/:id', async ({ params }) => {
  const sql = `${selectBalancers} WHERE id = $1 AND project_id = $2`;
  const { rows } = await balancersPool.query<LoadBalancer>(sql, [params.id, projectId]);
  return { loadbalancer: rows[0] && balancerViews.show(ctx, rows[0]) };
});
bareStacks(app, options.stacks, orchestration.manager, projectId);
const keys = createLocalJWKSet(
  (await (await fetch(`${identityUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet,
);
app.get('/v3/auth/tokens', async ({ headers }) => {
  const { payload } = await jwtVerify(String(headers['x-subject-token']), keys);
  return { token: payload };
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
