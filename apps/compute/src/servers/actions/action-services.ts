import { Injectable } from '@nestjs/common';
import { RemoteConsoles } from '../../consoles/remote-consoles.js';
import { ServerPortsService } from '../../nics/server-ports.service.js';
import { GuestConsole } from '../guest-console.js';
import { ResizeService } from '../resize/resize.service.js';
import { ServersService } from '../servers.service.js';
import { SnapshotsService } from '../snapshots/snapshots.service.js';

/** What actions work with. */
@Injectable()
export class ActionServices {
  constructor(
    readonly servers: ServersService,
    readonly ports: ServerPortsService,
    readonly guestConsole: GuestConsole,
    readonly resizes: ResizeService,
    readonly remoteConsoles: RemoteConsoles,
    readonly snapshots: SnapshotsService,
  ) {}
}
