/** A resource's metadata, for a server with the configs deployed to it. */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { ReadStack } from '../engine/commands/read-stack.js';
import type { Frozen } from '../engine/stored.js';
import { isPolling, polledMetadata } from '../resource-types/nova/server-properties.js';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { SignalAddresses } from '../engine/signal-address.js';
import { SoftwareDeploymentsService } from '../software-deployments/software-deployments.service.js';
import type { Stack } from '../rows/stack.entity.js';
import { isMap, type Json, type JsonObject } from '../json/json.js';
import type { StackResource } from '../rows/stack-resource.entity.js';

const SERVER_TYPES = ['OS::Nova::Server', 'OS::Heat::DeployedServer'];

@Injectable()
export class MetadataOfResources {
  constructor(
    private readonly reading: ReadStack,
    private readonly deployments: SoftwareDeploymentsService,
    private readonly addresses: SignalAddresses,
    private readonly sealed: SealedJson,
  ) {}

  async of(ctx: RequestContext, stack: Stack, row: StackResource): Promise<Json> {
    const { id: stackId, projectId } = stack;
    const metadata = await this.reading.metadataOf(ctx, row);
    const isServer = SERVER_TYPES.includes(row.type);
    if (row.physicalId === null || !isMap(metadata)) return metadata;
    if (!isServer && !('deployments' in metadata)) return metadata;
    const deployments = await this.deployments.metadataOf(ctx, row.physicalId, projectId);
    const target = { projectId, stackId, resourceId: row.id };
    const own = this.#isPolling(row)
      ? polledMetadata(metadata, this.addresses.ofMetadata(target))
      : metadata;
    return { ...own, deployments: deployments as readonly JsonObject[] };
  }

  #isPolling({ properties }: StackResource): boolean {
    return properties !== null && isPolling(this.sealed.open<Frozen>(properties).properties);
  }
}
