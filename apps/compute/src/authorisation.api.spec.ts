import { afterAll, expect, it } from '@jest/globals';
import { routesOf } from '@cumulet/common/http/route-table';
import { authorisationSuite } from '@cumulet/testing/authorisation-suite';
import { startCompute } from './compute.fixture.js';

const compute = await startCompute();
const routes = routesOf(compute.app.nest);

afterAll(async () => {
  await compute.stop();
});

authorisationSuite(routes, () => compute);

it('only discovery and what an orchestrator asks are open to everyone', () => {
  const open = routes.filter(({ access }) => access.kind === 'public');
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /',
    'GET /healthz',
    'GET /metrics',
    'GET /readyz',
    'GET /v2.1',
  ]);
});
