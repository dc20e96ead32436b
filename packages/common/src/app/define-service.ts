/**
 * A service in one declaration. Its process, its HTTP half, its workers and sweeps, its tests, its
 * generated documents and its place in the standalone cloud follow from it.
 */
import type { NestInterceptor, Type } from '@nestjs/common';
import type { DataSource, MigrationInterface } from 'typeorm';
import { loadSettings, type Settings, type Values } from '../config/settings.js';
import { SERVES } from '../config/release.js';
import { createDataSource } from '../database/data-source.js';
import { platformEnvelope, type ErrorEnvelope } from '../http/error-envelope.js';
import type { MicroversionRange } from '../context/microversion.js';
import type { RequestIdAlias } from '../context/request-id.js';
import type { RewrittenRequest } from '../context/rewritten-request.js';
import type { UnsupportedOperation } from '../http/unsupported-operations.js';
import { IdempotencyKeys1796100000000 } from '../idempotency/idempotency-keys.migration.js';
import { Jobs1796400000000 } from '../jobs/jobs.migration.js';
import { IdempotencyModule } from '../idempotency/stored-answers.js';
import type { JsonCodec } from '../service/tokens.js';
import { entitiesOf } from '../service/feature.js';
import type { ServiceConfig, ServiceSettings } from '../service/service-settings.js';

export interface ServiceDeclaration<S extends Settings & ServiceSettings = ServiceSettings> {
  /** `compute`; the name in logs and metrics, of the database and of the service user. */
  readonly name: string;
  readonly title: string;
  /** The type in the catalog and in access rules. */
  readonly serviceType: string;
  /** The path behind the standalone cloud's single port: `/compute`. */
  readonly path: string;
  /** The catalog entry; by default, under its own name. */
  readonly catalog?: CatalogEntry;
  readonly settings: S;
  /** The modules of resource folders, in start-up order. */
  readonly features: readonly Type[];
  /** The oldest release that the schema serves; by default the one before this. */
  readonly serves?: string;
  /** In order; never changed once released. */
  readonly migrations: readonly (new () => MigrationInterface)[];
  /** The format of error bodies; by default the platform's own. */
  readonly envelope?: ErrorEnvelope;
  /** Operations of the matching API that this service does not offer: each answers 501 by name. */
  readonly unsupported?: readonly UnsupportedOperation[];
  readonly microversions?: MicroversionRange;
  /** Run for every handler, after the token guard. */
  readonly interceptors?: readonly NestInterceptor[];
  /** Removes a prefix (`/v2.1/{project_id}`) from a request's path; may record its project. */
  readonly rewriteUrl?: (request: RewrittenRequest) => string;
  /** Whether `/images/` differs from `/images`: it names an image with an empty ID. */
  readonly strictPaths?: boolean;
  /** Request headers that every answer depends on, besides those of microversions. */
  readonly vary?: readonly string[];
  /** Additional names for the request id header. */
  readonly requestIdAlias?: RequestIdAlias;
  /** The media type of errors that the envelope writes as text: `application/xml`. */
  readonly errorMediaType?: string;
  /** A JSON codec that replaces JavaScript's. */
  readonly json?: JsonCodec;
  /** Whether its media type is plain `application/json`, which clients compare. */
  readonly plainJson?: boolean;
  /**
   * Whether to ignore keys beside the object in a body, if the matching service reads only
   * `{"region": {…}}`. Unknown keys of the resource itself are refused or kept all the same.
   */
  readonly ignoresBesides?: boolean;
  /** Whether it has its own port in every cloud, as its paths cannot have a prefix. */
  readonly ownPort?: boolean;
}

export interface CatalogEntry {
  /** The name of the matching OpenStack project: `nova`. */
  readonly name: string;
  /** The suffix of the service's URL: `/v2.1`. */
  readonly path?: string;
}

export interface Service<Config extends ServiceConfig = ServiceConfig> extends ServiceDeclaration {
  /** The default port. */
  readonly port: number;
  readonly serves: string;
  readonly envelope: ErrorEnvelope;
  /** @throws SettingError naming the first missing or invalid variable */
  load(env: Readonly<Record<string, string | undefined>>): Config;
  /**
   * @param url the service's own database
   * @param poolSize maximum connections of this process
   */
  dataSource(url: string, poolSize?: number): DataSource;
}

const SHARED = {
  features: [IdempotencyModule],
  migrations: [IdempotencyKeys1796100000000, Jobs1796400000000],
};

export function defineService<const S extends Settings & ServiceSettings>(
  declaration: ServiceDeclaration<S>,
): Service<Values<S> & ServiceConfig> {
  const { name, settings } = declaration;
  const features = [...declaration.features, ...SHARED.features];
  const migrations = [...declaration.migrations, ...SHARED.migrations];
  return {
    envelope: platformEnvelope,
    serves: SERVES,
    ...declaration,
    features,
    migrations,
    port: settings.port.read(undefined),
    load: (env) => loadSettings(settings, env),
    dataSource: (url, poolSize = 10) =>
      createDataSource({
        url,
        poolSize,
        applicationName: `cumulet ${name}`,
        entities: features.flatMap(entitiesOf),
        migrations,
      }),
  };
}
