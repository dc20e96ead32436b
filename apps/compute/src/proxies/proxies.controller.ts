/**
 * Operations that Nova has withdrawn: 410, or 404 from the microversion that removed their proxies.
 * Public source: nova, `api/openstack/compute`, the modules with `wsgi.removed`.
 */
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { UnsupportedOperationError, errorOf } from '@cumulet/common/errors/domain-error';
import {
  operationsOf,
  Refuses,
  type UnsupportedGroup,
} from '@cumulet/common/http/unsupported-operations';
import { Feature } from '@cumulet/common/service/feature';
import { OfVersions } from '../versions/microversions.js';
import { UNTIL_36, Sisters } from './sisters.js';
import { FloatingIpPoolsController, FloatingIpsController } from './floating-ips.controller.js';
import { ImageMetadataController, ImagesController } from './images.controller.js';
import { ImagesProxyService } from './images.service.js';
import {
  NetworksController,
  NetworksProxy,
  TenantNetworksController,
} from './networks.controller.js';
import {
  SecurityGroupRulesController,
  SecurityGroupsController,
} from './security-groups.controller.js';
import { SecurityGroupsService } from './security-groups.service.js';

class WithdrawnOperationError extends errorOf(
  'gone',
  (operation: string) => `${operation} has been withdrawn from Nova.`,
) {}

const GONE: readonly UnsupportedGroup[] = [
  {
    of: 'Cells',
    under: '/os-cells',
    operations: {
      'GET ': 'list cells',
      'POST ': 'create a cell',
      'GET /capacities': 'show capacities',
      'GET /detail': 'list cells with details',
      'GET /info': 'show this cell',
      'POST /sync_instances': 'compare servers',
      'GET /{cell_id}': 'show a cell',
      'PUT /{cell_id}': 'change a cell',
      'DELETE /{cell_id}': 'delete a cell',
      'GET /{cell_id}/capacities': 'show the capacities of a cell',
    },
  },
  {
    of: 'Certificates',
    under: '/os-certificates',
    operations: { 'POST ': 'create a certificate', 'GET /{certificate}': 'show a certificate' },
  },
  {
    of: 'Cloudpipe',
    under: '/os-cloudpipe',
    operations: {
      'GET ': 'list cloudpipes',
      'POST ': 'create a cloudpipe',
      'PUT /{project}': 'change a cloudpipe',
    },
  },
  {
    of: 'Ping',
    under: '/os-fping',
    operations: { 'GET ': 'ping servers', 'GET /{server_id}': 'ping a server' },
  },
  {
    of: 'Agent builds',
    under: '/os-agents',
    operations: {
      'GET ': 'list builds',
      'POST ': 'create a build',
      'PUT /{agent_build_id}': 'change a build',
      'DELETE /{agent_build_id}': 'delete a build',
    },
  },
  {
    of: 'Virtual interfaces',
    under: '/servers/{server_id}/os-virtual-interfaces',
    operations: { 'GET ': 'list interfaces' },
  },
  {
    of: 'Consoles of servers',
    under: '/servers/{server_id}/consoles',
    operations: {
      'GET ': 'list consoles',
      'POST ': 'create a console',
      'GET /{console_id}': 'show a console',
      'DELETE /{console_id}': 'delete a console',
    },
  },
  {
    of: 'Fixed IPs',
    under: '/os-fixed-ips/{fixed_ip}',
    operations: { 'GET ': 'show one', 'POST /action': 'reserve or release one' },
  },
  {
    of: 'Floating IPs in bulk',
    under: '/os-floating-ips-bulk',
    operations: {
      'GET ': 'list all',
      'POST ': 'create several',
      'PUT /{action}': 'delete several',
      'GET /{host_name}': 'list those of a host',
    },
  },
  {
    of: 'DNS of floating IPs',
    under: '/os-floating-ip-dns',
    operations: {
      'GET ': 'list domains',
      'PUT /{domain}': 'set a domain',
      'DELETE /{domain}': 'delete a domain',
      'GET /{domain}/entries/{entry}': 'show an entry',
      'PUT /{domain}/entries/{entry}': 'set an entry',
      'DELETE /{domain}/entries/{entry}': 'delete an entry',
    },
  },
  {
    of: 'Default rules of security groups',
    under: '/os-security-group-default-rules',
    operations: {
      'GET ': 'list rules',
      'POST ': 'create a rule',
      'GET /{rule_id}': 'show a rule',
      'DELETE /{rule_id}': 'delete a rule',
    },
  },
  {
    of: 'Networks of nova-network',
    under: '/os-networks',
    operations: {
      'POST ': 'create a network',
      'POST /add': 'add a network',
      'DELETE /{network_id}': 'delete a network',
      'POST /{network_id}/action': 'act on a network',
    },
  },
  {
    of: 'Project networks of nova-network',
    under: '/os-tenant-networks',
    operations: { 'POST ': 'create a network', 'DELETE /{network_id}': 'delete a network' },
  },
];

/** Proxies for volumes and bare metal: not supported, until Nova removed them. */
const NOT_OFFERED: readonly UnsupportedGroup[] = [
  {
    of: 'Volumes',
    under: '/os-volumes',
    operations: {
      'GET ': 'list volumes',
      'POST ': 'create a volume',
      'GET /detail': 'list volumes with details',
      'GET /{volume_id}': 'show a volume',
      'DELETE /{volume_id}': 'delete a volume',
    },
  },
  {
    of: 'Snapshots of volumes',
    under: '/os-snapshots',
    operations: {
      'GET ': 'list snapshots',
      'POST ': 'create a snapshot',
      'GET /detail': 'list snapshots with details',
      'GET /{snapshot_id}': 'show a snapshot',
      'DELETE /{snapshot_id}': 'delete a snapshot',
    },
  },
  {
    of: 'Bare metal nodes',
    under: '/os-baremetal-nodes',
    operations: { 'GET ': 'list nodes', 'GET /{node_id}': 'show a node' },
  },
];

@ApiTags('withdrawn')
@Refuses(operationsOf(GONE), {
  status: 410,
  error: (operation) => new WithdrawnOperationError(operation),
})
@Controller()
export class WithdrawnOperationsController {}

@ApiTags('withdrawn')
@OfVersions(UNTIL_36)
@Refuses(operationsOf(NOT_OFFERED), {
  status: 501,
  error: (operation) => new UnsupportedOperationError(operation),
  errors: [404],
})
@Controller()
export class ProxiesNotOfferedController {}

/** Nova's proxies for other services, for clients of early microversions. */
@Feature({
  controllers: [
    FloatingIpPoolsController,
    FloatingIpsController,
    ImageMetadataController,
    ImagesController,
    NetworksController,
    ProxiesNotOfferedController,
    SecurityGroupRulesController,
    SecurityGroupsController,
    TenantNetworksController,
    WithdrawnOperationsController,
  ],
  providers: [ImagesProxyService, NetworksProxy, SecurityGroupsService, Sisters],
})
export class ProxiesModule {}
