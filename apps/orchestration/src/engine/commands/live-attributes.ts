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
import { ALL_ATTRIBUTES } from '../../template/expression.js';
import { ownOf, type JsonObject } from '../../json/json.js';
import type { OutputDefinition } from '../../template/read-template.js';
import { ResourceTools } from '../goals/resource-tools.js';
import type { Referred } from '../../template/evaluate.js';
import type { KnownOutputs } from '../stack-commands.js';

const LIMIT_MS = 5_000;

type Asking = Pick<OutputDefinition, 'asks'>;

interface LiveQuestion extends Pick<KnownOutputs, 'outputTypes' | 'resources'> {
  readonly outputs: Readonly<Record<string, Asking>>;
}

interface Question {
  readonly names: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

@Injectable()
export class LiveAttributes {
  constructor(private readonly tools: ResourceTools) {}

  /** What outputs and the like refer to, of the resources of a stack. */
  async referred(
    ctx: RequestContext,
    { outputs, outputTypes, resources }: LiveQuestion,
  ): Promise<Referred[]> {
    const asked = askedOf(Object.values(outputs));
    let signal: AbortSignal | undefined;
    return Promise.all(
      resources.map(async (row) => {
        const referred = this.tools.referred(row);
        const names = asked.get(row.name);
        const type = this.tools.ports.typeOf(ownOf(outputTypes, row.name) ?? '');
        if (!names || !type || row.attributes === null) return referred;
        if (liveOf(type, names).length === 0) return referred;
        signal ??= AbortSignal.timeout(LIMIT_MS);
        const now = await this.#now(ctx, row.id, { names, signal });
        return { ...referred, attributes: { ...referred.attributes, ...now } };
      }),
    );
  }

  async #now(ctx: RequestContext, id: string, { names, signal }: Question): Promise<JsonObject> {
    const row = await this.tools.rows.load(ctx, id);
    if (!row || row.properties === null) return {};
    // An update to another type may not have come to it yet.
    const { type } = this.tools.kindOf(row);
    const live = liveOf(type, names);
    if (live.length === 0) return {};
    try {
      return await this.tools.attributesOf(type, this.tools.existing(ctx, row, signal), live);
    } catch (error) {
      if (signal.aborted || (error instanceof DomainError && error.kind !== 'bug')) return {};
      throw error;
    }
  }
}

/** The attributes that are asked for, by the names of resources. */
function askedOf(askers: readonly Asking[]): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>();
  for (const { asks } of askers)
    for (const [name, attributes] of Object.entries(asks)) {
      const known = asked.get(name) ?? new Set();
      asked.set(name, known);
      for (const one of attributes) known.add(one);
    }
  return asked;
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
