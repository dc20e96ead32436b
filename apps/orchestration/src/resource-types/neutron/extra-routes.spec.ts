import { describe, expect, it } from '@jest/globals';
import {
  calledIn,
  changed,
  definition,
  testScope,
  type Answers,
} from '../resource-scope.fixture.js';
import { extraRoute, extraRouteSet } from './extra-routes.js';

const PATH = '/v2.0/routers/r';
const ADD = `PUT ${PATH}/add_extraroutes`;
const REMOVE = `PUT ${PATH}/remove_extraroutes`;

const to = (net: number, host = 9) => ({
  destination: `10.${net}.0.0/16`,
  nexthop: `10.0.0.${host}`,
});

const router = (...routes: readonly object[]): Answers => ({
  [`GET ${PATH}`]: { router: { routes: routes as [] } },
  [ADD]: {},
  [REMOVE]: {},
});

describe('a route', () => {
  const properties = { router_id: 'r', ...to(1) };

  it("is added to the router's, and identified by its content", async () => {
    const scope = testScope(extraRoute, { properties, answers: router(to(2)) });
    expect(await extraRoute.create(scope)).toEqual({
      physicalId: 'r:10.1.0.0/16:10.0.0.9',
      data: { routes: [to(1)] },
    });
    expect(scope.kept).toEqual([{ routes: [to(1)] }]);
    expect(scope.requests.at(-1)?.json).toEqual({ router: { routes: [to(1)] } });
  });

  it('of another resource is refused', async () => {
    const scope = testScope(extraRoute, { properties, answers: router(to(1)) });
    await expect(extraRoute.create(scope)).rejects.toThrow('duplicates an existing route');
    expect(calledIn(scope)).toEqual([`GET ${PATH}`]);
  });

  it('is recognized after a lost answer', async () => {
    const data = { routes: [to(1)] };
    const scope = testScope(extraRoute, { properties, data, answers: router(to(1)) });
    await extraRoute.create(scope);
    expect(calledIn(scope)).toEqual([`GET ${PATH}`, ADD]);
  });

  it('is deleted, unless its router is gone', async () => {
    const scope = testScope(extraRoute, { properties, answers: router(to(1)) });
    await extraRoute.remove(scope);
    expect(scope.requests.at(-1)).toMatchObject({
      path: `${PATH}/remove_extraroutes`,
      json: { router: { routes: [to(1)] } },
    });
    const gone = testScope(extraRoute, { properties });
    await extraRoute.remove(gone);
    expect(calledIn(gone)).toEqual([`GET ${PATH}`]);
  });

  it('exists as long as the router has it', async () => {
    const there = testScope(extraRoute, { properties, answers: router(to(1), to(2)) });
    expect(await extraRoute.read?.(there)).toEqual({ router_id: 'r', ...to(1) });
    for (const answers of [router(to(2)), {}])
      expect(await extraRoute.read?.(testScope(extraRoute, { properties, answers }))).toBe(
        undefined,
      );
  });
});

describe('a set of routes', () => {
  it('removes its own unlisted routes before it adds others', async () => {
    const before = { router: 'r', routes: [to(1), to(2)] };
    const properties = { router: 'r', routes: [to(2), to(1, 8)] };
    const [scope, change] = changed(extraRouteSet, before, {
      properties,
      data: { routes: [to(1), to(2)] },
      answers: router(to(2), to(3)),
    });
    expect(await extraRouteSet.update?.(scope, change)).toEqual({
      data: { routes: properties.routes },
    });
    expect(scope.requests.filter(({ method }) => method === 'PUT')).toMatchObject([
      { path: `${PATH}/remove_extraroutes`, json: { router: { routes: [to(1)] } } },
      { path: `${PATH}/add_extraroutes`, json: { router: { routes: [to(2), to(1, 8)] } } },
    ]);
  });

  it('does not remove routes of others', async () => {
    const properties = { router: 'r', routes: [to(1), to(3)] };
    const data = { routes: [to(1)] };
    const scope = testScope(extraRouteSet, { properties, data, answers: router(to(1), to(3)) });
    await extraRouteSet.remove(scope);
    expect(scope.requests.at(-1)?.json).toEqual({ router: { routes: [to(1)] } });
  });

  it('of an adopted stack is read from its properties', async () => {
    const properties = { router: 'r', routes: [to(1)] };
    const scope = testScope(extraRouteSet, { properties, answers: router(to(1)) });
    await extraRouteSet.remove(scope);
    expect(scope.requests.at(-1)?.json).toEqual({ router: { routes: [to(1)] } });
  });

  it('without routes makes no request', async () => {
    const properties = { router: 'r' };
    const scope = testScope(extraRouteSet, { properties, answers: router() });
    expect(await extraRouteSet.create(scope)).toEqual({ physicalId: 'r', data: { routes: [] } });
    expect(calledIn(scope)).toEqual([`GET ${PATH}`]);
  });
});

it('requires the interfaces that connect its router to subnets', () => {
  const of = { get_resource: 'router' };
  const all = {
    inside: definition('OS::Neutron::RouterInterface', { router: of, subnet: 's' }),
    other: definition('OS::Neutron::RouterInterface', { router: 'q', subnet: 's' }),
    way: definition('OS::Neutron::RouterGateway', { router_id: of, network: 'n' }),
  };
  const set = definition('OS::Neutron::ExtraRouteSet', { router: of, routes: [] });
  expect(extraRouteSet.implicitRequires?.(set, all)).toEqual(['inside', 'way']);
  const one = definition('OS::Neutron::ExtraRoute', { router_id: of, ...to(1) });
  expect(extraRoute.implicitRequires?.(one, all)).toEqual(['inside', 'way']);
});
