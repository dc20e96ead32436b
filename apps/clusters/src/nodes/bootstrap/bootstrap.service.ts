/** Gives a node its certificates in return for the token in its user data, once. */
import { Injectable } from '@nestjs/common';
import { isUuid } from '@cumulet/common/context/ids';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { inTransaction } from '@cumulet/common/database/transaction';
import { clusters } from '../../clusters/cluster.repository.js';
import { secretsOf } from '../../clusters/cluster-secrets.js';
import { nodeGroups } from '../../node-groups/node-group.repository.js';
import type { BootstrapDto } from '../node.dto.js';
import type { Node, NodeId } from '../node.entity.js';
import { NodeTokenError, NodeTokenExpiredError, NodeTokenUsedError } from '../node.errors.js';
import { nodes } from '../node.repository.js';
import { digestOf, NodeTokens } from '../node-token.js';
import { bootstrapDocument } from './bootstrap-document.js';
import { CloudSettings } from './cloud-settings.js';
import { etcdPlaceOf, type EtcdPlace } from './etcd-place.js';
import { NodePorts } from './node-ports.js';

@Injectable()
export class BootstrapService {
  constructor(
    private readonly tokens: NodeTokens,
    private readonly sealed: SealedJson,
    private readonly cloud: CloudSettings,
    private readonly ports: NodePorts,
  ) {}

  /** @throws NodeTokenError */
  async authenticated(ctx: RequestContext, id: string, token: string | undefined): Promise<Node> {
    const found = isUuid(id) ? await nodes.find(ctx, id) : undefined;
    if (!found || token === undefined || !this.tokens.isOf(found.id, token))
      throw new NodeTokenError();
    return found;
  }

  /** @throws NodeTokenUsedError, NodeTokenExpiredError, ForeignAddressError, ControlPlaneNotReadyError */
  async give(ctx: RequestContext, node: Node, dto: BootstrapDto): Promise<object> {
    const cluster = await clusters.get(ctx, node.clusterId);
    await this.ports.check(ctx, cluster.projectId, node, dto.addresses[0] ?? '');
    const etcd = await inTransaction(ctx, (tx) => this.#claim(tx, node.id, dto));
    const group = await nodeGroups.get(ctx, node.nodeGroupId);
    const secrets = secretsOf(this.sealed, cluster);
    if (!secrets) throw new Error(`cluster ${cluster.id} has nodes, but no authorities`);
    const cloud = node.role === 'master' ? this.cloud.of(cluster, secrets) : null;
    return bootstrapDocument({
      cluster,
      group,
      node,
      secrets,
      etcd,
      addresses: dto.addresses,
      cloud,
      joinToken: this.tokens.ofCluster(cluster.id),
    });
  }

  /** Masters are serialised, so that exactly one founds etcd. */
  async #claim(tx: RequestContext, id: NodeId, dto: BootstrapDto): Promise<EtcdPlace | null> {
    const { clusterId, role } = await nodes.get(tx, id);
    if (role === 'master') await clusters.lock(tx, clusterId);
    const node = await nodes.lock(tx, id);
    const usedBy = digestOf(dto.nonce);
    if (node.usedBy !== null && node.usedBy !== usedBy) throw new NodeTokenUsedError();
    if (node.usedBy === null && node.tokenExpiresAt.getTime() < Date.now())
      throw new NodeTokenExpiredError(node.tokenExpiresAt);
    const masters = await nodes.ofCluster(tx, clusterId);
    const etcd =
      role === 'master'
        ? etcdPlaceOf(
            node,
            masters.filter((one) => one.role === 'master'),
          )
        : null;
    const [address = null] = dto.addresses;
    await nodes.update(tx, { id }, { usedBy, address, isFounder: etcd?.founder ?? false });
    return etcd;
  }
}
