/**
 * Extra routes of a router. Public source: Networking API reference, "Add extra routes to router".
 *
 * Always holds: routes are stored before they are requested, so that a repeated request recognizes
 * them as the resource's own. Only its own routes are ever removed.
 */
import type { ResourceDefinition } from '../../template/read-template.js';
import type { JsonObject } from '../../json/json.js';
import { custom, listOf, mapOf, named, text } from '../declare.js';
import { expressionOf, isSameExpression, ofType } from '../implicit-requires.js';
import { asObject, asText, mapsIn, textIn } from '../property-values.js';
import type { ResourceScope, ResourceType } from '../resource-type.js';
import { part, ServiceCalls } from '../service-calls.js';
import { PropertyError } from '../../constraints/property.errors.js';
import type { Properties } from '../../constraints/property-schema.js';

/** The key of the resource's data with its routes. */
const OWN = 'routes';

interface Route extends JsonObject {
  readonly destination: string;
  readonly nexthop: string;
}

type Definitions = Readonly<Record<string, ResourceDefinition>>;

const calls = (scope: ResourceScope): ServiceCalls => new ServiceCalls(scope, 'network');

const pathOf = (router: string): string => `/v2.0/routers/${part(router)}`;

/** Resources that connect the router to subnets, because a route's next hop must be in one of them. */
function joined(one: ResourceDefinition, all: Definitions, router: string): readonly string[] {
  const own = expressionOf(one, router);
  return ofType(all, 'OS::Neutron::RouterInterface', 'OS::Neutron::RouterGateway')
    .filter(([, other]) => isSameExpression(expressionOf(other, 'router', 'router_id'), own))
    .map(([name]) => name);
}

function routesIn(value: JsonObject, name: string): readonly Route[] {
  return (mapsIn(value, name) ?? []).map(({ destination, nexthop }) => ({
    destination: asText(destination),
    nexthop: asText(nexthop),
  }));
}

function without(these: readonly Route[], those: readonly Route[]): readonly Route[] {
  return these.filter((one) => !those.some((other) => isSameRoute(one, other)));
}

function isSameRoute(one: Route, other: Route): boolean {
  return one.destination === other.destination && one.nexthop === other.nexthop;
}

async function find(scope: ResourceScope, router: string): Promise<JsonObject | undefined> {
  return asObject((await calls(scope).find(pathOf(router)))?.['router']);
}

/** @returns the resource's data. @throws PropertyError for a route of somebody else */
async function add(
  scope: ResourceScope,
  router: string,
  routes: readonly Route[],
  own: readonly Route[],
): Promise<JsonObject> {
  const foreign = without(routesIn((await find(scope, router)) ?? {}, 'routes'), own);
  const taken = routes.find((route) => foreign.some((one) => isSameRoute(one, route)));
  if (taken)
    throw new PropertyError(
      'routes',
      `Route to ${taken.destination} by ${taken.nexthop} duplicates an existing route of router ${router}.`,
    );
  await scope.keep({ ...scope.row.data, [OWN]: [...own, ...without(routes, own)] });
  if (routes.length > 0)
    await calls(scope).put(`${pathOf(router)}/add_extraroutes`, { router: { routes } });
  return { ...scope.row.data, [OWN]: routes };
}

/** From its data, or from the properties for an adopted stack. */
function ownIn({ row }: ResourceScope, properties: Properties): readonly Route[] {
  return routesIn(Object.hasOwn(row.data, OWN) ? row.data : properties, OWN);
}

/** Routes or routers that are gone already need no removal. */
async function take(scope: ResourceScope, router: string, routes: readonly Route[]): Promise<void> {
  if (routes.length === 0 || !(await find(scope, router))) return;
  await calls(scope).put(`${pathOf(router)}/remove_extraroutes`, { router: { routes } });
}

/** The wanted routes that exist; undefined if the router is gone. */
async function present(
  scope: ResourceScope,
  id: string,
  wanted: readonly Route[],
): Promise<readonly Route[] | undefined> {
  const router = await find(scope, id);
  const there = router && routesIn(router, 'routes');
  return there && wanted.filter((one) => there.some((other) => isSameRoute(one, other)));
}

export const extraRoute: ResourceType = {
  name: 'OS::Neutron::ExtraRoute',
  description: 'A route of a router.',
  support: {
    status: 'UNSUPPORTED',
    message: 'Use OS::Neutron::ExtraRouteSet, of which there may be several.',
  },
  properties: {
    router_id: named('neutron.router', 'The router.', { required: true }),
    destination: text('The destination network.', { required: true }),
    nexthop: text('The address of the next hop.', { required: true }),
  },
  attributes: {},
  implicitRequires: (one, all) => joined(one, all, 'router_id'),

  async create(scope) {
    const { router, route } = routeOf(scope);
    const data = await add(scope, router, [route], routesIn(scope.row.data, OWN));
    return { physicalId: `${router}:${route.destination}:${route.nexthop}`, data };
  },

  async remove(scope) {
    const { router, route } = routeOf(scope);
    await take(scope, router, [route]);
  },

  async read(scope) {
    const { router, route } = routeOf(scope);
    const there = await present(scope, router, [route]);
    return there?.[0] && { router_id: router, ...route };
  },
};

function routeOf({ properties }: ResourceScope): {
  readonly router: string;
  readonly route: Route;
} {
  const [router = '', destination = '', nexthop = ''] = ['router_id', 'destination', 'nexthop'].map(
    (name) => textIn(properties, name),
  );
  return { router, route: { destination, nexthop } };
}

const routerIn = ({ properties }: ResourceScope): string => textIn(properties, 'router') ?? '';

export const extraRouteSet: ResourceType = {
  name: 'OS::Neutron::ExtraRouteSet',
  description: 'Routes of a router; others may give it further ones.',
  support: { status: 'SUPPORTED', version: '14.0.0' },
  properties: {
    router: named('neutron.router', 'The router.', { required: true }),
    routes: listOf(
      mapOf(
        {
          destination: text('The destination network.', {
            required: true,
            constraints: [custom('net_cidr')],
          }),
          nexthop: text('The address of the next hop.', {
            required: true,
            constraints: [custom('ip_addr')],
          }),
        },
        'A route.',
      ),
      'The routes.',
      { default: [], updatable: true },
    ),
  },
  attributes: {},
  implicitRequires: (one, all) => joined(one, all, 'router'),

  async create(scope) {
    const [router, wanted] = [routerIn(scope), routesIn(scope.properties, OWN)];
    const data = await add(scope, router, wanted, routesIn(scope.row.data, OWN));
    return { physicalId: router, data };
  },

  /** Removals first, so that no two routes have the same destination. */
  async update(scope, { before }) {
    const [router, wanted] = [routerIn(scope), routesIn(scope.properties, OWN)];
    const own = ownIn(scope, before);
    await take(scope, router, without(own, wanted));
    return { data: await add(scope, router, wanted, own) };
  },

  remove: (scope) => take(scope, routerIn(scope), ownIn(scope, scope.properties)),

  async read(scope) {
    const routes = await present(scope, routerIn(scope), routesIn(scope.properties, OWN));
    return routes && { router_id: routerIn(scope), routes };
  },
};
