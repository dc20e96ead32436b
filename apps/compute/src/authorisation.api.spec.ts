import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { routesOf, routesOfControllers } from '@cumulet/common/http/route-table';
import { OperationsController } from '@cumulet/common/observe/operations.controller';
import { authorisationSuite } from '@cumulet/testing/authorisation-suite';
import { startCompute, type ComputeFixture } from './compute.fixture.js';
import { computeControllers } from './compute.module.js';

const routes = routesOfControllers([...computeControllers, OperationsController]);

let compute: ComputeFixture;

beforeAll(async () => {
  compute = await startCompute();
});

afterAll(async () => {
  await compute.stop();
});

authorisationSuite(routes, () => compute);

it('the table is that of the running app', () => {
  expect(routesOf(compute.app.nest)).toEqual(routes);
});

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
