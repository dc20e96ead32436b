/** The engine's ports in a cloud: sister services over HTTP, all resource types, and trusts. */
import { asCaller } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { GivenTrust } from '@cumulet/common/trusts/trust-ports';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { OrchestrationConfig } from '../config.js';
import { validationError, type ConstraintQuestion } from '../constraints/constraint-check.js';
import type { Properties } from '../constraints/property-schema.js';
import { PropertyError } from '../constraints/property.errors.js';
import {
  LookupError,
  resolveNames,
  ServiceLookups,
  type LookupScope,
} from '../constraints/service-lookups.js';
import { EXACT_JSON } from '../json/exact-json.js';
import { isMap, type Json } from '../json/json.js';
import { textOf } from '../json/texts.js';
import { TEMPLATE_RESOURCE, templateResource } from '../resource-types/nested-type.js';
import { findResourceType } from '../resource-types/registry.js';
import type { ResourceType } from '../resource-types/resource-type.js';
import type { Services } from '../sister-services.js';
import { evaluate } from '../template/evaluate.js';
import type { Expression, References } from '../template/expression.js';
import { propertyFailure } from '../template/properties/check-definition.js';
import { resolveProperties } from '../template/properties/check-properties.js';
import { StackValidationFailedError } from '../template/template.errors.js';
import { EnginePorts } from './engine-ports.js';

@Injectable()
export class ServicePorts extends EnginePorts implements OnApplicationShutdown {
  readonly services: Services;
  readonly #delegations: DelegationClient;
  readonly #clients: ServiceClient[] = [];

  constructor(
    @Inject(CONFIG) config: OrchestrationConfig,
    private readonly credentials: ActorCredentials,
    tokens: ServiceTokenSource,
  ) {
    super();
    const { identityUrl } = config;
    this.#delegations = new DelegationClient({ identityUrl, tokens, credentials });
    const own = config.orchestrationUrl ?? config.publicUrl ?? `http://127.0.0.1:${config.port}`;
    this.services = {
      compute: this.#client('compute', config.computeUrl),
      network: this.#client('network', config.networkUrl),
      images: this.#client('images', config.imagesUrl),
      identity: this.#made('identity', identityUrl),
      loadBalancer: this.#client('load balancer', config.loadBalancerUrl),
      secrets: this.#client('secrets', config.secretsUrl),
      clusters: this.#client('clusters', config.clustersUrl),
      orchestration: this.#made('orchestration', own),
      s3Url: config.s3Url,
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([...this.#clients.map((one) => one.close()), this.#delegations.close()]);
  }

  typeOf(name: string): ResourceType | undefined {
    return name === TEMPLATE_RESOURCE ? templateResource : findResourceType(name);
  }

  evaluate(expression: Expression, references: References): Json {
    return evaluate(expression, references);
  }

  async propertiesOf(
    type: ResourceType,
    given: Json,
    path: string,
    scope: Omit<LookupScope, 'services'>,
  ): Promise<Properties> {
    try {
      if (type.acceptsAnyProperty === true) return isMap(given) ? given : {};
      const properties = resolveProperties(type.properties, given);
      // Values that were unknown when the template was read may still contradict each other.
      type.validate?.(properties);
      const lookups = new ServiceLookups({ ...scope, services: this.services });
      return await resolveNames(type.properties, properties, lookups);
    } catch (error) {
      throw error instanceof PropertyError ? propertyFailure(error, path) : error;
    }
  }

  async answer(ctx: RequestContext, questions: readonly ConstraintQuestion[]): Promise<void> {
    if (questions.length === 0) return;
    const { projectId } = ctx;
    const scope = { services: this.services, actor: asCaller(ctx), projectId };
    await answerQuestions(questions, new ServiceLookups(scope));
  }

  async zones(ctx: RequestContext): Promise<readonly string[] | undefined> {
    const { compute } = this.services;
    if (!compute) return undefined;
    const path = '/v2.1/os-availability-zone';
    const { body } = await compute.send({ actor: asCaller(ctx), path });
    const { availabilityZoneInfo: zones } = body as {
      readonly availabilityZoneInfo: readonly { readonly zoneName: string }[];
    };
    return zones.map(({ zoneName }) => zoneName);
  }

  async userName(ctx: RequestContext): Promise<string> {
    const path = `/v3/users/${encodeURIComponent(ctx.userId)}`;
    try {
      const { body } = await this.services.identity.send({ actor: asCaller(ctx), path });
      return (body as { readonly user: { readonly name: string } }).user.name;
    } catch (error) {
      // The rules of an application credential may not allow it.
      if (error instanceof ServiceRefusedError) return ctx.userId;
      throw error;
    }
  }

  createTrust(ctx: RequestContext, expiresAt: Date): Promise<string> {
    return this.#delegations.create(ctx, { mayRedelegate: true, expiresAt });
  }

  isTrustValid(trustId: string): Promise<boolean> {
    return this.#delegations.isValid(trustId);
  }

  givenTrusts(): Promise<readonly GivenTrust[]> {
    return this.#delegations.list();
  }

  endTrust(trustId: string): Promise<void> {
    return this.#delegations.revoke(trustId);
  }

  #client(service: string, baseUrl: string | undefined): ServiceClient | undefined {
    return baseUrl === undefined ? undefined : this.#made(service, baseUrl);
  }

  #made(service: string, baseUrl: string): ServiceClient {
    const client = new ServiceClient({
      service,
      baseUrl,
      credentials: this.credentials,
      json: EXACT_JSON,
    });
    this.#clients.push(client);
    return client;
  }
}

const AT_ONCE = 8;

/**
 * Answers a template's open questions before anything is created.
 *
 * @throws StackValidationFailedError for the first one, in the template's order, that a service rejects
 * @throws ServiceUnavailableError
 */
export async function answerQuestions(
  questions: readonly ConstraintQuestion[],
  lookups: ServiceLookups,
): Promise<void> {
  for (let at = 0; at < questions.length; at += AT_ONCE) {
    const some = questions.slice(at, at + AT_ONCE);
    const faults = await Promise.all(some.map((one) => faultOf(one, lookups)));
    some.forEach((question, index) => {
      const fault = faults[index];
      if (fault !== undefined) throw failure(question, fault);
    });
  }
}

async function faultOf(
  { constraint, value, description, isSecret }: ConstraintQuestion,
  lookups: ServiceLookups,
): Promise<string | undefined> {
  try {
    await lookups.find(constraint, textOf(value));
    return undefined;
  } catch (error) {
    if (!(error instanceof LookupError)) throw error;
    return description ?? validationError(value, isSecret === true ? '' : error.message, isSecret);
  }
}

function failure({ path }: ConstraintQuestion, fault: string): StackValidationFailedError {
  const [section, name = ''] = path.split('.', 2);
  return section === 'parameters' || section === 'Parameters'
    ? new StackValidationFailedError(`Parameter '${name}' is invalid: ${fault}`)
    : new StackValidationFailedError(fault, path, 'Property error');
}
