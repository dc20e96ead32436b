/** Public source: Container Infrastructure Management API reference, "Manage certificates". */
import { EnumField, StringField } from '@cumulet/common/http/fields';
import { Shown } from '@cumulet/common/http/shown';
import { Link } from '../http/links.js';

/** Magnum's names for a cluster's authorities. */
export const CA_TYPES = ['kubernetes', 'kubelet', 'etcd', 'front_proxy', 'front-proxy'] as const;
export type CaType = (typeof CA_TYPES)[number];

export class CertificateDto {
  @StringField({ description: 'The cluster, by ID or name.' })
  cluster_uuid: string;

  @StringField({ max: 16_384, description: 'The certificate signing request, in PEM.' })
  csr: string;

  @EnumField(CA_TYPES, { optional: true, nullable: true, description: 'The authority that signs.' })
  ca_cert_type?: CaType | null;
}

export class RotationDto {
  @StringField({ description: 'The cluster, by ID or name.' })
  cluster: string;
}

export class CertificateQuery {
  @EnumField(CA_TYPES, { optional: true, description: 'The certificate authority.' })
  ca_cert_type?: CaType;
}

export class AuthorityView {
  @Shown(String, 'The ID of the cluster.')
  cluster_uuid: string;

  @Shown(String, "The authority's certificate, in PEM.")
  pem: string;

  @Shown([() => Link], 'Links to the authority.')
  links: Link[];
}

export class CertificateView extends AuthorityView {
  @Shown(String, 'The request that was signed.')
  csr: string;
}
