/**
 * The cloud under load: every service in one process, as `npm start` runs it, with 20 servers and as
 * many images.
 */
import 'reflect-metadata';
import { createServers } from './create-servers.js';
import { footprint } from './footprint.js';
import { reportOf, type CloudFacts } from './protocol.js';
import { startBenchCloud } from './start-cloud.js';

/** How long the process idles before its memory is read: connections that rest are closed. */
const REST_MS = 25_000;

async function start(): Promise<CloudFacts> {
  const cloud = await startBenchCloud();
  const { url, token, projectId } = cloud;
  const serverId = await createServers(url, token, { count: 20, name: 'bench' });
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return {
    kind: 'cloud',
    computeUrl: `${url}/compute/v2.1`,
    token,
    identityUrl: `${url}/identity`,
    login: JSON.stringify(cloud.login),
    adminLogin: cloud.adminLogin,
    serverId,
    projectId,
    imagesUrl: `${url}/image`,
    databaseUrls: [cloud.databaseUrl('compute'), cloud.databaseUrl('images')],
    idle: await footprint(cloud.databaseUrl('identity')),
  };
}

await reportOf(start);
