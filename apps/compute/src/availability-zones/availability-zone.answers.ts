/** Zones on the wire. Public source: Nova API reference, "Availability zones (os-availability-zone)". */
import { AdditionalProperties, answerClass, Shown } from '@cumulet/common/http/shown';
import { DEFAULT_ZONE, type Host } from '../hosts/host.entity.js';
import { zonelessTime } from '../http/zoneless-time.js';
import { COMPUTE } from '../services/service.dto.js';

class ZoneState {
  @Shown(Boolean, 'Whether servers can be placed in it.')
  available: boolean;
}

class ZoneSummary {
  @Shown(String, 'Its name.')
  zoneName: string;

  @Shown(() => ZoneState, 'Its state.')
  zoneState: ZoneState;

  @Shown(Object, 'Always null.', { nullable: true })
  hosts: null;
}

/** By host, its services by name. */
@AdditionalProperties()
class ZoneHosts {}

class ZoneView {
  @Shown(String, 'Its name.')
  zoneName: string;

  @Shown(() => ZoneState, 'Its state.')
  zoneState: ZoneState;

  @Shown(() => ZoneHosts, 'Its enabled hosts; null where it has none.', { nullable: true })
  hosts: object | null;
}

export const ZoneList = answerClass('AvailabilityZoneList', {
  availabilityZoneInfo: Shown([() => ZoneSummary], 'The zones.'),
});

export const ZoneDetailList = answerClass('AvailabilityZoneDetailList', {
  availabilityZoneInfo: Shown([() => ZoneView], 'The zones with their hosts.'),
});

interface Zone {
  readonly zoneName: string;
  readonly zoneState: { readonly available: boolean };
  readonly hosts: object | null;
}

/** The zones of all hosts: first those with an enabled one, which are available. */
export function zonesOf(hosts: readonly Host[], withHosts: boolean): Zone[] {
  const nameOf = ({ zone }: Host): string => zone ?? DEFAULT_ZONE;
  const names = [...new Set(hosts.map(nameOf))].sort();
  const zones = names.map((zoneName): Zone => {
    const enabled = hosts.filter((host) => nameOf(host) === zoneName && host.enabled);
    const available = enabled.length > 0;
    const services = withHosts && available ? Object.fromEntries(enabled.map(serviceOf)) : null;
    return { zoneName, zoneState: { available }, hosts: services };
  });
  return zones.sort(
    (one, other) => Number(other.zoneState.available) - Number(one.zoneState.available),
  );
}

function serviceOf({ name, enabled, isUp, seenAt }: Host): [string, object] {
  const updated_at = zonelessTime(seenAt);
  return [name, { [COMPUTE]: { active: enabled, available: isUp, updated_at } }];
}
