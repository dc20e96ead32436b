import { DomainError, InvalidInputError } from '@cumulet/common/errors/domain-error';

export class ImageNotFoundError extends InvalidInputError {
  constructor(ident: string) {
    super(`Image ${ident} could not be found.`);
  }
}

export class ImageWithoutDistroError extends InvalidInputError {
  constructor(ident: string) {
    super(`Image ${ident} doesn't contain os_distro field.`);
  }
}

export class ImageVersionError extends InvalidInputError {
  constructor(ident: string, version: string) {
    super(
      `Image ${ident} has the kube_version '${version.slice(0, 64)}', which is not a version such as v1.35.4.`,
    );
  }
}

export class FlavorNotFoundError extends InvalidInputError {
  constructor(ident: string) {
    super(`Unable to find flavor ${ident}.`);
  }
}

export class KeypairNotFoundError extends DomainError {
  constructor(name: string) {
    super('not-found', `Unable to find keypair ${name}.`);
  }
}

export class ExternalNetworkNotFoundError extends InvalidInputError {
  constructor(ident: string) {
    super(`Unable to find external network ${ident}.`);
  }
}

export class FixedNetworkNotFoundError extends InvalidInputError {
  constructor(ident: string) {
    super(`Unable to find fixed network ${ident}.`);
  }
}

export class FixedSubnetNotFoundError extends InvalidInputError {
  constructor(ident: string) {
    super(`Unable to find fixed subnet ${ident}.`);
  }
}

export class ProjectNotFoundError extends DomainError {
  constructor(id: string) {
    super('not-found', `The project_id ${id} could not be found.`);
  }
}

/** Several have the name. */
export class AmbiguousReferenceError extends DomainError {
  constructor(kind: string, name: string) {
    super(
      'conflict',
      `Multiple ${kind}s exist with same name '${name}'. Please use the ${kind} ID instead.`,
    );
  }
}
