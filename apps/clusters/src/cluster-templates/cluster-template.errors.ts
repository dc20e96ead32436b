import {
  InvalidInputError,
  notFound,
  invalid,
  conflict,
  forbidden,
} from '@cumulet/common/errors/domain-error';

export class ClusterTemplateNotFoundError extends notFound(
  (ident: string) => `ClusterTemplate ${ident} could not be found.`,
) {}

/** The answer to creating a cluster before 1.10. */
export class UnknownClusterTemplateError extends invalid(
  (ident: string) => `ClusterTemplate ${ident} could not be found.`,
) {}

export class AmbiguousClusterTemplateError extends conflict(
  (name: string) =>
    `Multiple cluster templates exist with same name '${name}'. Please use the cluster template uuid instead.`,
) {}

export class ClusterTemplateReferencedError extends invalid(
  (ident: string) => `ClusterTemplate ${ident} is referenced by one or multiple clusters.`,
) {}

export class PublishingForbiddenError extends forbidden(
  "Policy doesn't allow clustertemplate:publish to be performed.",
) {}

export class ForeignClusterTemplateError extends forbidden(
  (ident: string) => `ClusterTemplate ${ident} belongs to another project.`,
) {}

export class InvalidClusterTemplateError extends InvalidInputError {}
