import { Controller, Get } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { allUnder } from '@cumulet/common/http/answers';
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';
import { hosts } from '../hosts/host.repository.js';
import type { Host } from '../hosts/host.entity.js';
import { zonelessTime } from '../http/times.js';
import { INTERNAL_ZONE, servicesOf, type Service } from '../hosts/host-services.js';

/** Zones on the wire. Public source: Nova API reference, "Availability zones (os-availability-zone)". */
const ZoneState = answerClass('ZoneState', {
  available: Shown(Boolean, 'Whether servers can be placed in the zone.'),
});

const ZoneSummary = answerClass('ZoneSummary', {
  zoneName: Shown(String, 'Its name.'),
  zoneState: Shown(() => ZoneState, 'Its state.'),
  hosts: Shown(Object, 'Always null.', { nullable: true }),
});

/** The services of each host, by name. */
@AdditionalProperties()
class ZoneHosts {}

const ZoneView = answerClass('ZoneView', {
  zoneName: Shown(String, 'Its name.'),
  zoneState: Shown(() => ZoneState, 'Its state.'),
  hosts: Shown(() => ZoneHosts, 'The enabled hosts; null if there are none.', { nullable: true }),
});

const ZoneList = allUnder('availabilityZoneInfo', ZoneSummary);

const ZoneDetailList = allUnder('availabilityZoneInfo', ZoneView, 'The zones with their hosts.');

interface Zone {
  readonly zoneName: string;
  readonly zoneState: { readonly available: boolean };
  readonly hosts: object | null;
}

/** All zones, available ones first. The internal zone is shown only together with its hosts. */
function zonesOf(hosts: readonly Host[], withHosts: boolean): Zone[] {
  const services = servicesOf(hosts).filter(({ zone }) => withHosts || zone !== INTERNAL_ZONE);
  const names = [...new Set(services.map(({ zone }) => zone))].sort();
  const zones = names.map((zoneName): Zone => {
    const enabled = services.filter(({ zone, enabled: is }) => zone === zoneName && is);
    const available = enabled.length > 0;
    return {
      zoneName,
      zoneState: { available },
      hosts: withHosts && available ? byHost(enabled) : null,
    };
  });
  return zones.sort(
    (one, other) => Number(other.zoneState.available) - Number(one.zoneState.available),
  );
}

function byHost(services: readonly Service[]): object {
  const hosts: Record<string, object> = {};
  for (const { name, binary, enabled, isUp, seenAt } of services) {
    const shown = { active: enabled, available: isUp, updated_at: zonelessTime(seenAt) };
    hosts[name] = { ...hosts[name], [binary]: shown };
  }
  return hosts;
}

@Controller('os-availability-zone')
export class AvailabilityZonesController {
  @Get()
  @Allow('reader')
  @Operation('List availability zones', ZoneList)
  async list(@Ctx() ctx: RequestContext): Promise<object> {
    return { availabilityZoneInfo: zonesOf(await hosts.select(ctx, [], 'ORDER BY number'), false) };
  }

  @Get('detail')
  @Allow('admin')
  @Operation('List availability zones with their hosts', ZoneDetailList)
  async detail(@Ctx() ctx: RequestContext): Promise<object> {
    return { availabilityZoneInfo: zonesOf(await hosts.select(ctx, [], 'ORDER BY number'), true) };
  }
}

@Feature({ controllers: [AvailabilityZonesController] })
export class AvailabilityZonesModule {}
