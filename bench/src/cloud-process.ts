/**
 * The cloud under load: every service in one process, as `npm start` runs it, with 20 servers, as many
 * images and stacks, and 10 load balancers.
 */
import 'reflect-metadata';
import { createLoadBalancers } from './create-load-balancers.js';
import { createServers } from './create-servers.js';
import { createStacks } from './create-stacks.js';
import { footprint } from './footprint.js';
import { watchLoop } from './loop-watch.js';
import { reportOf, type CloudFacts } from './protocol.js';
import { startBenchCloud } from './start-cloud.js';

/** How long the process idles before its memory is read: connections that rest are closed. */
const REST_MS = 25_000;

async function start(): Promise<CloudFacts> {
  const cloud = await startBenchCloud();
  const { url, token, projectId } = cloud;
  const serverId = await createServers(url, token, { count: 20, name: 'bench' });
  const loadBalancerId = await createLoadBalancers(url, token, 10);
  const stackPath = await createStacks(url, token, 20);
  watchLoop();
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
  return {
    kind: 'cloud',
    computeUrl: `${url}/compute/v2.1`,
    s3Url: cloud.s3Url,
    token,
    identityUrl: `${url}/identity`,
    login: JSON.stringify(cloud.login),
    adminLogin: cloud.adminLogin,
    serverId,
    projectId,
    imagesUrl: `${url}/image`,
    loadBalancersUrl: `${url}/load-balancer`,
    loadBalancerId,
    stacks: {
      url: `${url}/orchestration`,
      databaseUrl: cloud.databaseUrl('orchestration'),
      secretKey: cloud.stacksKey,
    },
    stackPath,
    databaseUrls: {
      compute: cloud.databaseUrl('compute'),
      images: cloud.databaseUrl('images'),
      loadBalancers: cloud.databaseUrl('loadbalancer'),
    },
    idle: await footprint(cloud.databaseUrl('identity')),
  };
}

await reportOf(start);
