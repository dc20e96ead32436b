import { Flavor } from '../flavors/flavor.entity.js';
import { Host } from '../hosts/host.entity.js';
import { Server } from '../servers/server.entity.js';

export const computeEntities = [Flavor, Host, Server];
