/** Generates a cluster's secrets, and plans its nodes. */
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import { inTransaction } from '@cumulet/common/database/transaction';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { Cluster } from '../clusters/cluster.entity.js';
import { addonsOf } from '../clusters/cluster-networks.js';
import { newSecrets, secretsOf, type ClusterSecrets } from '../clusters/cluster-secrets.js';
import type { ClustersConfig } from '../config.js';
import { ChosenEngine } from '../engine/chosen-engine.js';
import { nodeGroups } from '../node-groups/node-group.repository.js';
import { nodes } from '../nodes/node.repository.js';
import { createAuthorities } from '../pki/authority.js';
import { newNode } from '../planning/new-node.js';
import { isNothing, planNodes } from '../planning/plan-nodes.js';
import { note } from './cluster-row.js';
import { nodeRows } from '../nodes/node-rows.js';
import { timeColumns } from '../clusters/cluster.states.js';

@Injectable()
export class MakeNodes {
  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<ClustersConfig, 'guestUrl' | 'tokenMinutes' | 'drainSeconds'>,
    private readonly sealed: SealedJson,
    private readonly engine: ChosenEngine,
  ) {}

  /** Generates authorities, and replaces them when that was requested. */
  async ensureSecrets(ctx: RequestContext, row: Cluster): Promise<void> {
    if (row.pkiGeneration === row.pkiWanted) return;
    const before = secretsOf(this.sealed, row);
    const secrets = before
      ? { ...before, authorities: await createAuthorities() }
      : await newSecrets();
    await note(ctx, row, { secrets: this.sealed.seal(secrets), pkiGeneration: row.pkiWanted });
  }

  /** The user that Kubernetes acts as, with a trust delegated from the cluster's. */
  async ensureTrustee(ctx: RequestContext, row: Cluster): Promise<void> {
    if (addonsOf(row.labels)['cloud_provider'] !== true) return;
    const secrets = this.#secrets(row);
    const { trustee: former } = secrets;
    const generation = row.credentialWanted;
    if (former?.generation === generation) return;
    const engine = await this.engine.of(ctx);
    const password = this.sealed.digest(`trustee:${row.id}:${generation}`);
    const trustee = await engine.trustee(ctx, row, { generation, password });
    // Nodes fetch the new one as they fetch new certificates.
    const further = former
      ? { pkiGeneration: row.pkiGeneration + 1, pkiWanted: row.pkiWanted + 1 }
      : {};
    await note(ctx, row, { secrets: this.sealed.seal({ ...secrets, trustee }), ...further });
  }

  /** Called once no node uses them. */
  async removeFormerTrustees(ctx: RequestContext, row: Cluster): Promise<void> {
    if (row.credentialWanted === 1) return;
    const engine = await this.engine.of(ctx);
    for (let generation = 1; generation < row.credentialWanted; generation += 1)
      await engine.removeTrustee(ctx, row, generation);
  }

  /** Takes one step towards the wanted nodes. */
  async plan(ctx: RequestContext, row: Cluster): Promise<void> {
    const caPem = this.#secrets(row).authorities.ca.certificatePem;
    await inTransaction(ctx, async (tx) => {
      // Checks that no other work has begun, and locks the row.
      await note(tx, row, { maxBatchSize: row.maxBatchSize });
      await nodeRows.releaseParted(tx, row.id);
      const groups = await nodeGroups.ofCluster(tx, row.id);
      const plan = planNodes(groups, await nodes.ofCluster(tx, row.id), {
        batch: row.maxBatchSize,
      });
      await nodes.insertAll(
        tx,
        plan.create.map((group) =>
          newNode(row, group, {
            ...this.config,
            caPem,
          }),
        ),
      );
      // Each batch of replacements has the full time.
      if (plan.retire.length > 0) await note(tx, row, timeColumns(row, row.state));
      await nodes.retire(
        tx,
        plan.retire.map(({ id }) => id),
      );
      await nodeRows.go(
        tx,
        row.id,
        plan.go.map(({ id }) => id),
        this.config,
      );
      await nodeRows.releaseParted(tx, row.id);
    });
  }

  /** Whether nothing is left to create, replace or remove. */
  async isDone(ctx: RequestContext, row: Cluster): Promise<boolean> {
    const groups = await nodeGroups.ofCluster(ctx, row.id);
    const all = await nodes.ofCluster(ctx, row.id);
    const areSettled = all.every(({ fate }) => fate === 'wanted');
    return (
      areSettled &&
      !groups.some(({ isLeaving }) => isLeaving) &&
      isNothing(planNodes(groups, all, { batch: row.maxBatchSize }))
    );
  }

  #secrets(row: Cluster): ClusterSecrets {
    const secrets = secretsOf(this.sealed, row);
    if (!secrets) throw new Error(`cluster ${row.id} has no authorities`);
    return secrets;
  }
}
