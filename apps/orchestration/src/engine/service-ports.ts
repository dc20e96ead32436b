/** The engine's surroundings as they are in a cloud: sister services over HTTP, all types, trusts. */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import { DelegationClient } from '@cumulet/clients/identity/delegation-client';
import { ServiceTokenSource } from '@cumulet/clients/identity/service-token-source';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { GivenTrust } from '@cumulet/common/trusts/trust-ports';
import type { OrchestrationConfig } from '../config.js';
import { answerQuestions } from './answer-questions.js';
import { ServiceLookups, type LookupScope } from '../constraints/service-lookups.js';
import { findResourceType } from '../resource-types/registry.js';
import type { ResourceType } from '../resource-types/resource-type.js';
import { propertyFailure } from '../template/properties/check-definition.js';
import { resolveNames } from '../constraints/resolve-names.js';
import { resolveProperties } from '../template/properties/resolve-properties.js';
import { evaluate } from '../template/evaluate.js';
import { EXACT_JSON } from '../json/exact-json.js';
import type { Expression, References } from '../template/expression.js';
import { isMap, type Json } from '../json/json.js';
import { EnginePorts } from './engine-ports.js';
import { TEMPLATE_RESOURCE, templateResource } from '../resource-types/nested-type.js';
import { PropertyError } from '../constraints/property.errors.js';
import type { Properties } from '../constraints/property-schema.js';
import type { ConstraintQuestion } from '../constraints/custom-constraints.js';
import type { Services } from '../sister-services.js';

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
      if (type.takesAnything === true) return isMap(given) ? given : {};
      const properties = resolveProperties(type.properties, given);
      // What was not known as the template was read may not go together either.
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
      // An application credential's rules may leave it out.
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
