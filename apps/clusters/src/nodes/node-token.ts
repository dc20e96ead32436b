/**
 * A node's proof of identity, in its user data. Tokens are derived from the key that the service signs
 * with, so none is stored, and a replacement node has another one.
 */
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SealedJson } from '@cumulet/common/crypto/sealed-json';
import type { ClusterId } from '../clusters/cluster.resource.js';
import type { NodeId } from './node.entity.js';

@Injectable()
export class NodeTokens {
  constructor(private readonly sealed: SealedJson) {}

  of(id: NodeId): string {
    return this.sealed.digest(textOf(id));
  }

  /** The token with which k3s and kubeadm nodes join, in kubeadm's form. */
  ofCluster(id: ClusterId): string {
    const digits = this.sealed.digest(`join:${id}`);
    return `${digits.slice(0, 6)}.${digits.slice(6, 22)}`;
  }

  isOf(id: NodeId, token: string): boolean {
    return this.sealed.isDigest(textOf(id), token);
  }
}

function textOf(id: NodeId): string {
  return `node:${id}`;
}

export function digestOf(nonce: string): string {
  return createHash('sha256').update(nonce).digest('hex');
}
