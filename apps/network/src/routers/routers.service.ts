import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { reachable } from '@cumulet/common/auth/project-access';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { inTransaction } from '@cumulet/common/database/transaction';
import { nudge } from '@cumulet/common/jobs/nudge';
import { initialState } from '@cumulet/common/states/transition';
import { equals, type Condition } from '@cumulet/common/tables/condition';
import { apply } from '../resource/applied.states.js';
import { refuseUnknownZones } from '../availability-zones/zones.js';
import { ResourceService } from '../resource/resource.service.js';
import { isPresent } from '../resource/resource.table.js';
import type { HostRoute } from '../subnets/subnet.resource.js';
import {
  matchGateways,
  gatewayPolicy,
  refuseChosenGateway,
  setGateways,
} from './router-gateways.js';
import type { MatchedGateway } from './router-gateways.js';
import * as interfaces from './router-interfaces.js';
import { routerPorts, routers, type Router } from './router.entity.js';
import * as errors from './router.errors.js';
import { routerResource } from './router.resource.js';
import type { AskedGateway, NewRouter, RouterAttributes, RouterChange } from './router.resource.js';
import { checkRoutes, withoutRoutes, withRoutes } from './attached-subnets.js';
import { routerStates } from '../router-locks/router.states.js';

/** A new interface has exactly one of them. */
export interface AskedInterface {
  readonly subnetId?: string | undefined;
  readonly portId?: string | undefined;
}

type Matching = (router: Router) => readonly MatchedGateway[];

@Injectable()
export class RoutersService extends ResourceService<Router, RouterAttributes> {
  protected readonly resource = routerResource;
  protected readonly table = routers;

  protected override visible(ctx: RequestContext): Condition[] {
    return [isPresent, ...reachable(ctx)];
  }

  protected override async make(tx: RequestContext, body: NewRouter): Promise<Router> {
    const { externalGatewayInfo: info, ...rest } = body;
    if (info) refuseChosenGateway(tx, 'create_router:external_gateway_info', [info]);
    await refuseUnknownZones(tx, body.availabilityZoneHints);
    const router = await routers.insert(tx, {
      ...this.columnsOf(rest),
      id: randomUUID(),
      projectId: tx.projectId,
      enableSnat: info?.enable_snat ?? true,
      ...initialState(routerStates),
    });
    if (info) {
      await setGateways(tx, router, [[info, undefined]]);
      const qosPolicyId = await gatewayPolicy(tx, router, info);
      await routers.update(tx, router.id, { qosPolicyId });
    }
    await nudge(tx, { task: 'router', resource: 'router', id: router.id });
    return routers.get(tx, router.id);
  }

  protected override async change(
    tx: RequestContext,
    router: Router,
    body: RouterChange,
  ): Promise<Router> {
    const { externalGatewayInfo: info, ...rest } = body;
    if (info === undefined) return this.write(tx, router, this.columnsOf(rest));
    if (info) refuseChosenGateway(tx, 'update_router:external_gateway_info', [info]);
    const [first, ...others] = router.gateways;
    const kept = others.map((one) => [unchangedGateway(one.networkId), one] as const);
    const same = first?.networkId === info?.network_id ? first : undefined;
    await setGateways(tx, router, info ? [[info, same], ...kept] : kept);
    return this.write(tx, router, {
      ...this.columnsOf(rest),
      enableSnat: info?.enable_snat ?? true,
      qosPolicyId: await gatewayPolicy(tx, router, info),
    });
  }

  /** Deletes its gateways too. */
  protected override async erase(tx: RequestContext, router: Router): Promise<void> {
    const own = await routerPorts.select(
      tx,
      [equals('routerId', router.id), equals('kind', 'interface')],
      'ORDER BY port_id',
    );
    if (own.length > 0)
      throw new errors.RouterInUseError(
        router.id,
        own.map(({ portId }) => portId),
      );
    await setGateways(tx, router, []);
    await apply(tx, routerStates, router.id, 'remove');
  }

  /** @throws QuotaExhaustedError if the project has too many ports */
  addInterface(ctx: RequestContext, id: string, asked: AskedInterface): Promise<InterfaceOf> {
    const { subnetId, portId } = asked;
    return inTransaction(ctx, async (tx) => {
      if (subnetId !== undefined) {
        const { projectId } = await this.get(tx, id);
        await this.quotas.claim(tx, { port: 1 }, projectId);
      }
      const router = await this.lockOwn(tx, id, 'update');
      const added =
        subnetId === undefined
          ? await interfaces.addByPort(tx, router, portId ?? '')
          : await interfaces.addBySubnet(tx, router, subnetId);
      return { router: await this.write(tx, router, {}), ...added };
    });
  }

  removeInterface(ctx: RequestContext, id: string, asked: AskedInterface): Promise<InterfaceOf> {
    const { subnetId, portId } = asked;
    return inTransaction(ctx, async (tx) => {
      const router = await this.lockOwn(tx, id, 'update');
      const removed =
        portId === undefined
          ? await interfaces.removeBySubnet(tx, router, subnetId ?? '')
          : await interfaces.removeByPort(tx, router, portId, subnetId);
      return { router: await this.write(tx, router, {}), ...removed };
    });
  }

  addRoutes(ctx: RequestContext, id: string, routes: readonly HostRoute[]): Promise<Router> {
    return this.changeRoutes(ctx, id, (router) => withRoutes(router.routes, routes));
  }

  removeRoutes(ctx: RequestContext, id: string, routes: readonly HostRoute[]): Promise<Router> {
    return this.changeRoutes(ctx, id, (router) => withoutRoutes(router.routes, routes));
  }

  addGateways(ctx: RequestContext, id: string, asked: readonly AskedGateway[]): Promise<Router> {
    refuseChosenGateway(ctx, 'add_external_gateways:external_gateways', asked);
    return this.changeGateways(ctx, id, asked, (router) => [
      ...router.gateways.map((one) => [unchangedGateway(one.networkId), one] as const),
      ...asked.map((one) => [one, undefined] as const),
    ]);
  }

  /** Gateways that are not named are removed. */
  updateGateways(ctx: RequestContext, id: string, asked: readonly AskedGateway[]): Promise<Router> {
    refuseChosenGateway(ctx, 'update_external_gateways:external_gateways', asked);
    return this.changeGateways(ctx, id, asked, (router) => matchGateways(router, asked));
  }

  removeGateways(ctx: RequestContext, id: string, asked: readonly AskedGateway[]): Promise<Router> {
    return this.changeGateways(ctx, id, [], (router) => {
      if (asked.length > 0 && router.gateways.length === 0) {
        const reason = 'the router does not have any external gateways';
        throw new errors.UnableToRemoveGatewaysError(router.id, reason);
      }
      const gone = matchGateways(router, asked).map(([one, gateway]) => {
        if (gateway) return gateway;
        throw new errors.UnableToMatchGatewaysError(
          router.id,
          `could not match gateway port IDs for gateway info with networks ${one.network_id}`,
        );
      });
      const left = router.gateways.filter((gateway) => !gone.includes(gateway));
      return left.map((one) => [unchangedGateway(one.networkId), one] as const);
    });
  }

  private changeRoutes(
    ctx: RequestContext,
    id: string,
    next: (router: Router) => HostRoute[],
  ): Promise<Router> {
    return inTransaction(ctx, async (tx) => {
      const router = await this.lockOwn(tx, id, 'update');
      return this.write(tx, router, { routes: next(router) });
    });
  }

  /** SNAT is set by the first request, if there is no gateway yet or all are named. */
  private changeGateways(
    ctx: RequestContext,
    id: string,
    [first]: readonly AskedGateway[],
    next: Matching,
  ): Promise<Router> {
    return inTransaction(ctx, async (tx) => {
      const router = await this.lockOwn(tx, id, 'update');
      const wanted = next(router);
      await setGateways(tx, router, wanted);
      const isFirst = first !== undefined && wanted[0]?.[0] === first;
      const enableSnat = isFirst ? (first.enable_snat ?? true) : router.enableSnat;
      const left = wanted.length > 0 ? router.qosPolicyId : null;
      const qosPolicyId = isFirst ? await gatewayPolicy(tx, router, first) : left;
      return this.write(tx, router, { enableSnat, qosPolicyId });
    });
  }

  private async write(
    tx: RequestContext,
    router: Router,
    columns: Partial<Router>,
  ): Promise<Router> {
    await checkRoutes(tx, router.id, columns.routes ?? router.routes);
    await this.save(tx, router, columns);
    await apply(tx, routerStates, router.id);
    return routers.get(tx, router.id);
  }
}

export interface InterfaceOf extends interfaces.Interface {
  readonly router: Router;
}

/** Keeps the gateway as it is. */
function unchangedGateway(networkId: string): AskedGateway {
  return { network_id: networkId };
}
