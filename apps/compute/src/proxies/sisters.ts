/**
 * The proxies' requests to sister services, as their caller, whose rights and quotas apply there.
 */
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { asCaller } from '@cumulet/clients/http/actor';
import { ServiceClient } from '@cumulet/clients/http/service-client';
import { ServiceRefusedError } from '@cumulet/clients/http/service-client-errors';
import type { ServiceRequest } from '@cumulet/clients/http/service-request';
import { ActorCredentials } from '@cumulet/clients/identity/actor-credentials';
import type { RequestContext } from '@cumulet/common/context/request-context';
import { DomainError, UnavailableError } from '@cumulet/common/errors/domain-error';
import { CONFIG } from '@cumulet/common/service/tokens';
import type { ComputeConfig } from '../config.js';
import type { VersionSpan } from '../versions/microversions.js';

export type SisterRequest = Omit<ServiceRequest, 'actor' | 'stream' | 'signal'>;

/** In the sister service's words. */
class SisterRefusedError extends DomainError {
  constructor(refusal: ServiceRefusedError) {
    super(refusal.kind, refusal.serviceMessage ?? refusal.message, { cause: refusal });
  }
}

@Injectable()
export class Sisters implements OnApplicationShutdown {
  readonly #images: ServiceClient;
  readonly #network: ServiceClient | undefined;

  constructor(
    @Inject(CONFIG) { imagesUrl, networkUrl }: ComputeConfig,
    credentials: ActorCredentials,
  ) {
    this.#images = new ServiceClient({ service: 'images', baseUrl: imagesUrl, credentials });
    if (networkUrl !== undefined)
      this.#network = new ServiceClient({ service: 'network', baseUrl: networkUrl, credentials });
  }

  /** @returns the answer's body. @throws DomainError with the sister's status and words */
  images<Body>(ctx: RequestContext, request: SisterRequest): Promise<Body> {
    return send(this.#images, ctx, request);
  }

  /** As `images`. @throws UnavailableError in a cloud without a network service */
  network<Body>(ctx: RequestContext, request: SisterRequest): Promise<Body> {
    if (!this.#network) throw new UnavailableError('This cloud has no network service.');
    return send(this.#network, ctx, request);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.#images.close(), this.#network?.close()]);
  }
}

async function send<Body>(
  client: ServiceClient,
  ctx: RequestContext,
  request: SisterRequest,
): Promise<Body> {
  try {
    return (await client.send({ ...request, actor: asCaller(ctx) })).body as Body;
  } catch (error) {
    throw error instanceof ServiceRefusedError ? new SisterRefusedError(error) : error;
  }
}

/** For `catch`: replaces the sister's 404. */
export function missingAs(missing: (cause: unknown) => DomainError): (error: unknown) => never {
  return (error) => {
    throw error instanceof DomainError && error.kind === 'not-found' ? missing(error) : error;
  };
}

/**
 * The microversions at which Nova withdrew its proxies, since clients call the services themselves.
 * Public source: Nova, "REST API Version History", 2.36 and 2.39.
 */
export const UNTIL_36: VersionSpan = { until: 35 };
export const UNTIL_39: VersionSpan = { until: 38 };
