import { Module, type DynamicModule } from '@nestjs/common';
import { TokenVerifier } from '@cumulet/common/auth/token-verifier';
import type { IdentityConfig } from './config.js';
import { IDENTITY_CONFIG } from './injection-tokens.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { Keyring } from './signing-keys/keyring.js';
import { DomainRepository } from './domains/domain.repository.js';
import { DomainsController } from './domains/domains.controller.js';
import { EndpointRepository } from './endpoints/endpoint.repository.js';
import { EndpointsController } from './endpoints/endpoints.controller.js';
import { EndpointsService } from './endpoints/endpoints.service.js';
import { UnsupportedController } from './http/unsupported.controller.js';
import { LimitRepository } from './limits/limit.repository.js';
import { LimitsController } from './limits/limits.controller.js';
import { LimitsService } from './limits/limits.service.js';
import { PolicyTargetRepository } from './policy/policy-target.repository.js';
import { PolicyTargets } from './policy/policy-targets.js';
import { PolicyGuard } from './policy/policy.guard.js';
import { ProjectRepository } from './projects/project.repository.js';
import { ProjectsController } from './projects/projects.controller.js';
import { RegionRepository } from './regions/region.repository.js';
import { RegionsController } from './regions/regions.controller.js';
import { RegionsService } from './regions/regions.service.js';
import { RegisteredLimitRepository } from './registered-limits/registered-limit.repository.js';
import { RegisteredLimitsController } from './registered-limits/registered-limits.controller.js';
import { RegisteredLimitsService } from './registered-limits/registered-limits.service.js';
import { RevocationRepository } from './revocations/revocation.repository.js';
import { RevocationsController } from './revocations/revocations.controller.js';
import { RevocationsService } from './revocations/revocations.service.js';
import { RoleAssignmentRepository } from './role-assignments/role-assignment.repository.js';
import { RoleRepository } from './roles/role.repository.js';
import { RolesController } from './roles/roles.controller.js';
import { ServiceRepository } from './services/service.repository.js';
import { ServicesController } from './services/services.controller.js';
import { ServicesService } from './services/services.service.js';
import { SigningKeyRepository } from './signing-keys/signing-key.repository.js';
import { SigningKeysController } from './signing-keys/signing-keys.controller.js';
import { AuthController } from './tokens/auth.controller.js';
import { Authenticator } from './tokens/authenticator.js';
import { ScopeRepository } from './tokens/scope.repository.js';
import { TokensController } from './tokens/tokens.controller.js';
import { TokensService } from './tokens/tokens.service.js';
import { UserRepository } from './users/user.repository.js';
import { UsersController } from './users/users.controller.js';
import { VersionsController } from './versions/versions.controller.js';

/** What lives as long as the app, and is made outside of Nest. */
export interface IdentityParts {
  readonly config: IdentityConfig;
  readonly keyring: Keyring;
  readonly passwords: PasswordHasher;
  readonly verifier: TokenVerifier;
}

@Module({})
export class IdentityModule {
  static with({ config, keyring, passwords, verifier }: IdentityParts): DynamicModule {
    return {
      module: IdentityModule,
      controllers: [
        AuthController,
        DomainsController,
        EndpointsController,
        LimitsController,
        ProjectsController,
        RegionsController,
        RegisteredLimitsController,
        RevocationsController,
        RolesController,
        ServicesController,
        SigningKeysController,
        TokensController,
        UnsupportedController,
        UsersController,
        VersionsController,
      ],
      providers: [
        { provide: IDENTITY_CONFIG, useValue: config },
        { provide: Keyring, useValue: keyring },
        { provide: PasswordHasher, useValue: passwords },
        { provide: TokenVerifier, useValue: verifier },
        Authenticator,
        DomainRepository,
        EndpointRepository,
        EndpointsService,
        LimitRepository,
        LimitsService,
        PolicyGuard,
        PolicyTargetRepository,
        PolicyTargets,
        ProjectRepository,
        RegionRepository,
        RegionsService,
        RegisteredLimitRepository,
        RegisteredLimitsService,
        RevocationRepository,
        RevocationsService,
        RoleAssignmentRepository,
        RoleRepository,
        ScopeRepository,
        ServiceRepository,
        ServicesService,
        SigningKeyRepository,
        TokensService,
        UserRepository,
      ],
    };
  }
}
