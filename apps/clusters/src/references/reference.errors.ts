import { invalid, notFound, conflict } from '@cumulet/common/errors/domain-error';

export class ImageNotFoundError extends invalid(
  (ident: string) => `Image ${ident} could not be found.`,
) {}

export class ImageWithoutDistroError extends invalid(
  (ident: string) => `Image ${ident} doesn't contain os_distro field.`,
) {}

export class ImageVersionError extends invalid(
  (ident: string, version: string) =>
    `Image ${ident} has the kube_version '${version.slice(0, 64)}', which is not a version such as v1.35.4.`,
) {}

export class FlavorNotFoundError extends invalid(
  (ident: string) => `Unable to find flavor ${ident}.`,
) {}

export class KeypairNotFoundError extends notFound(
  (name: string) => `Unable to find keypair ${name}.`,
) {}

export class ExternalNetworkNotFoundError extends invalid(
  (ident: string) => `Unable to find external network ${ident}.`,
) {}

export class FixedNetworkNotFoundError extends invalid(
  (ident: string) => `Unable to find fixed network ${ident}.`,
) {}

export class FixedSubnetNotFoundError extends invalid(
  (ident: string) => `Unable to find fixed subnet ${ident}.`,
) {}

export class ProjectNotFoundError extends notFound(
  (id: string) => `The project_id ${id} could not be found.`,
) {}

export class AmbiguousReferenceError extends conflict(
  (kind: string, name: string) =>
    `Multiple ${kind}s exist with same name '${name}'. Please use the ${kind} ID instead.`,
) {}
