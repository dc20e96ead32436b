/**
 * The quotas of a service: limits, usage and claims.
 *
 * Always holds: usage is counted from rows, in the creating transaction, under a lock of the
 * project and quota. So no counter can drift, and no two requests get the same last unit.
 */
import type { ProjectId } from '../context/ids.js';
import type { RequestContext } from '../context/request-context.js';
import { transactionLocks } from '../database/advisory-lock.js';
import { inTransaction } from '../database/transaction.js';
import { checkQuota, type QuotaUsage } from './check-quota.js';
import { namesOf, type QuotaDefinitions, type Units } from './define-quotas.js';
import { ALL_PROJECTS } from './quota-limit.entity.js';
import { QuotaLimitRepository, type LimitsByProject } from './quota-limit.repository.js';
import { QuotaBelowUsageError } from './quota.errors.js';

/** A service extends it with its definitions, and provides it. */
export class Quotas<Name extends string> {
  readonly #names: readonly Name[];
  readonly #standard: Units<Name>;
  readonly #limits: QuotaLimitRepository<Name>;

  constructor(
    private readonly definitions: QuotaDefinitions<Name, never>,
    config: object,
  ) {
    this.#names = namesOf(definitions);
    this.#standard = this.#each((name) => definitions[name].default(config as never));
    this.#limits = new QuotaLimitRepository(definitions);
  }

  /**
   * Claims units for rows that the transaction will insert. Call this first, once, and with
   * everything that the transaction needs, to avoid deadlocks.
   * @param projectId by default, the caller's
   * @throws QuotaExceededError or RequestTooGreatError if less is left than wanted
   * @throws QuotaExhaustedError if nothing is left
   */
  async claim(
    tx: RequestContext,
    wanted: Partial<Units<Name>>,
    projectId: ProjectId = tx.projectId,
  ): Promise<void> {
    const names = this.#names.filter((name) => (wanted[name] ?? 0) > 0);
    if (names.length === 0) return;
    await this.#lock(tx, projectId, names);
    const usage = await this.#usage(tx, projectId, names);
    for (const name of names) {
      const isCounted = this.definitions[name].counted !== undefined;
      checkQuota(name, wanted[name] ?? 0, usage[name], isCounted);
    }
  }

  /** The limits of a project. */
  async limits(ctx: RequestContext, projectId: ProjectId): Promise<Units<Name>> {
    const usage = await this.#usage(ctx, projectId, []);
    return this.#each((name) => usage[name].limit);
  }

  /** The limits and the usage of a project. */
  usage(ctx: RequestContext, projectId: ProjectId): Promise<Readonly<Record<Name, QuotaUsage>>> {
    return this.#usage(ctx, projectId, this.#names);
  }

  /** The default limits. */
  async defaults(ctx: RequestContext): Promise<Units<Name>> {
    const { shared } = await this.#limits.read(ctx, ALL_PROJECTS, []);
    return this.#each((name) => shared[name] ?? this.#standard[name]);
  }

  /**
   * Sets limits of a project; others stay.
   * @param options.force whether a limit may be below the usage
   * @throws QuotaBelowUsageError naming the first one below; nothing is changed
   */
  async set(
    ctx: RequestContext,
    projectId: ProjectId,
    limits: Partial<Units<Name>>,
    { force = false }: { readonly force?: boolean } = {},
  ): Promise<void> {
    const names = this.#names.filter((name) => limits[name] !== undefined);
    await inTransaction(ctx, async (tx) => {
      // Waits for running claims, whose rows count once they have ended.
      await this.#lock(tx, projectId, names);
      const usage = await this.#usage(tx, projectId, force ? [] : names);
      for (const name of names) {
        const limit = limits[name] ?? -1;
        const { used } = usage[name];
        if (limit >= 0 && limit < used) throw new QuotaBelowUsageError(name, limit, used);
      }
      await this.#limits.set(tx, projectId, limits);
    });
  }

  /** Sets the limits of projects without their own. */
  setDefaults(ctx: RequestContext, limits: Partial<Units<Name>>): Promise<void> {
    return this.#limits.set(ctx, ALL_PROJECTS, limits);
  }

  /** Resets a project to the defaults, whatever its usage. */
  reset(ctx: RequestContext, projectId: ProjectId): Promise<void> {
    return this.#limits.delete(ctx, projectId);
  }

  async overridden(ctx: RequestContext): Promise<LimitsByProject<Name>> {
    const limits = new Map(await this.#limits.all(ctx));
    limits.delete(ALL_PROJECTS);
    return limits;
  }

  /**
   * Replaces all limits by those of another source, whatever the usage.
   * @param limits by project; under `ALL_PROJECTS`, the defaults
   */
  replaceAll(ctx: RequestContext, limits: LimitsByProject<Name>): Promise<void> {
    return this.#limits.replace(ctx, limits);
  }

  #lock(tx: RequestContext, projectId: ProjectId, names: readonly Name[]): Promise<void> {
    const locks = [...names].sort().map((name) => `quota:${projectId}:${name}`);
    return transactionLocks(tx.manager, locks);
  }

  async #usage(
    ctx: RequestContext,
    projectId: ProjectId,
    counted: readonly Name[],
  ): Promise<Readonly<Record<Name, QuotaUsage>>> {
    const { own, shared, used } = await this.#limits.read(ctx, projectId, counted);
    return this.#each((name) => ({
      limit: own[name] ?? shared[name] ?? this.#standard[name],
      used: used[name] ?? 0,
    }));
  }

  #each<T>(value: (name: Name) => T): Record<Name, T> {
    return Object.fromEntries(this.#names.map((name) => [name, value(name)])) as Record<Name, T>;
  }
}
