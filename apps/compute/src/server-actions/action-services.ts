import { Injectable } from '@nestjs/common';
import { RemoteConsoles } from '../consoles/remote-consoles.js';
import { ServerFloatingIpsService } from '../nics/server-floating-ips.service.js';
import { ServerPortsService } from '../nics/server-ports.service.js';
import { HostRepository, HostStatuses } from '../hosts/host.repository.js';
import { ServersService } from '../servers/servers.service.js';
import { AdminPasswordService } from './password/admin-password.service.js';
import { GuestConsole } from './guest-console.js';
import { EvacuateService } from './evacuate/evacuate.service.js';
import { RebuildService } from './rebuild/rebuild.service.js';
import { RescueService } from './rescue/rescue.service.js';
import { ResizeService } from './resize/resize.service.js';
import { SnapshotsService } from './snapshots/snapshots.service.js';

/** What actions work with. */
@Injectable()
export class ActionServices {
  constructor(
    readonly servers: ServersService,
    readonly ports: ServerPortsService,
    readonly floatingIps: ServerFloatingIpsService,
    readonly guestConsole: GuestConsole,
    readonly adminPasswords: AdminPasswordService,
    readonly resizes: ResizeService,
    readonly rebuilds: RebuildService,
    readonly rescues: RescueService,
    readonly evacuations: EvacuateService,
    readonly hostStatuses: HostStatuses,
    readonly remoteConsoles: RemoteConsoles,
    readonly hosts: HostRepository,
    readonly snapshots: SnapshotsService,
  ) {}
}
