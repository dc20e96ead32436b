/**
 * Attributes that change while their resource does not, as members of a pool do, which are resources of
 * their own: whoever looks at an output sees them as their service has them now. Public source: heat,
 * `engine/attributes.py`, `CACHE_NONE`.
 *
 * Always holds: a service that cannot be asked costs no more than a few seconds, and what it said last
 * takes the place of its answer. What stays as it is costs no statement: a stack is looked at often.
 */
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError } from '@cumulet/common/errors/domain-error';
import type { ResourceType } from '../../resource-types/resource-type.js';
import type { CurrentResource } from '../../stack-resources/stack-resource.repository.js';
import { ALL_ATTRIBUTES } from '../../template/expression.js';
import type { JsonObject } from '../../template/json.js';
import type { OutputDefinition } from '../../template/read-template.js';
import { ResourceTools } from '../goals/resource-tools.js';
import type { Referred } from '../references.js';

const LIMIT_MS = 5_000;

interface Question {
  readonly type: ResourceType;
  readonly live: readonly string[];
  readonly signal: AbortSignal;
}

@Injectable()
export class LiveAttributes {
  constructor(private readonly tools: ResourceTools) {}

  /** What outputs refer to, of the resources of a stack. */
  async referred(
    ctx: RequestContext,
    rows: readonly CurrentResource[],
    outputs: readonly OutputDefinition[],
  ): Promise<Referred[]> {
    const signal = AbortSignal.timeout(LIMIT_MS);
    return Promise.all(
      rows.map(async (row) => {
        const referred = this.tools.referred(row);
        const names = new Set(outputs.flatMap(({ asks }) => asks[row.name] ?? []));
        if (names.size === 0 || row.attributes === null) return referred;
        const type = this.tools.typeOf(this.tools.definitionOf(row));
        const live = liveOf(type, names);
        if (live.length === 0) return referred;
        const now = await this.#now(ctx, row.id, { type, live, signal });
        return { ...referred, attributes: { ...referred.attributes, ...now } };
      }),
    );
  }

  async #now(
    ctx: RequestContext,
    id: string,
    { type, live, signal }: Question,
  ): Promise<JsonObject> {
    const row = await this.tools.rows.load(ctx, id);
    if (!row || row.properties === null) return {};
    try {
      return await this.tools.attributesOf(type, this.tools.existing(ctx, row, signal), live);
    } catch (error) {
      if (signal.aborted || (error instanceof DomainError && error.kind !== 'bug')) return {};
      throw error;
    }
  }
}

/** Of what changes its size as others ask, all; else what the type says, and what its service shows. */
function liveOf(type: ResourceType, names: ReadonlySet<string>): readonly string[] {
  if (type.adjust) return [...names];
  const live = Object.entries(type.attributes).flatMap(([name, { isLive }]) =>
    isLive === true && (names.has(name) || names.has(ALL_ATTRIBUTES)) ? [name] : [],
  );
  const isShown = names.has('show') && !Object.hasOwn(type.attributes, 'show');
  return isShown ? [...live, 'show'] : live;
}
