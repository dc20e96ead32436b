import type { RequestContext } from '@cumulet/common/context/request-context';
import { Injectable } from '@nestjs/common';
import type { MetadefNamespace } from './namespace.entity.js';
import { NamespaceNotFoundError, NamespaceProtectedError } from './namespace.errors.js';
import { NamespaceRepository } from './namespace.repository.js';

/** Finds the namespace that a path names, for whatever is asked of it. */
@Injectable()
export class NamespaceLookup {
  constructor(private readonly namespaces: NamespaceRepository) {}

  /** @throws NamespaceNotFoundError also for one that the caller may not see */
  async visible(ctx: RequestContext, name: string): Promise<MetadefNamespace> {
    const found = await this.namespaces.find(ctx, name);
    if (!found) throw new NamespaceNotFoundError(name);
    return found;
  }

  /** Held until the transaction ends: for changes. @throws NamespaceNotFoundError */
  async locked(tx: RequestContext, name: string): Promise<MetadefNamespace> {
    const found = await this.namespaces.findLocked(tx, name);
    if (!found) throw new NamespaceNotFoundError(name);
    return found;
  }
}

/**
 * @param what is to be deleted, as a message names it; the namespace itself where absent
 * @throws NamespaceProtectedError
 */
export function requireUnprotected(namespace: MetadefNamespace, what?: string): void {
  if (namespace.protected) throw new NamespaceProtectedError(namespace.namespace, what);
}
