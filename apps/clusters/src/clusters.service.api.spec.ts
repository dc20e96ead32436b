import { testService } from '@cumulet/testing/test-service';
import { A_TEMPLATE, startClusters, type ClustersFixture } from './clusters.fixture.js';
import { clustersService } from './service.js';

async function made(
  { client }: ClustersFixture,
  token: string,
  path: string,
  body: object,
): Promise<string> {
  const headers = { 'OpenStack-API-Version': 'container-infra latest' };
  const answer = await client.post(path, { token, body, headers });
  return (answer.body as { uuid: string }).uuid;
}

const template = (fixture: ClustersFixture, token: string): Promise<string> =>
  made(fixture, token, '/v1/clustertemplates', A_TEMPLATE);

async function cluster(fixture: ClustersFixture, token: string): Promise<string> {
  const cluster_template_id = await template(fixture, token);
  const id = await made(fixture, token, '/v1/clusters', { cluster_template_id });
  await fixture.settle();
  return id;
}

testService(clustersService, {
  start: startClusters,
  open: [
    'GET /',
    'GET /v1',
    'POST /v1/nodes/{node_id}/bootstrap',
    'POST /v1/nodes/{node_id}/report',
  ],
  headers: { 'OpenStack-API-Version': 'container-infra latest' },
  examples: {
    clustertemplate_ident: template,
    cluster_ident: cluster,
  },
  withoutExample: ['project_id'],
});
