import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { Allow } from '@cumulet/common/auth/access';
import { Ctx, RequestContext } from '@cumulet/common/context/request-context';
import { Operation } from '@cumulet/common/http/operation';
import { Feature } from '@cumulet/common/service/feature';
import { ClusterRef } from '../clusters/cluster.resource.js';
import { linksTo } from '../http/links.js';
import {
  AuthorityView,
  CertificateDto,
  CertificateQuery,
  CertificateView,
  RotationDto,
} from './certificate.dto.js';
import { CertificatesService, type ClusterCertificate } from './certificates.service.js';

@Controller('v1/certificates')
export class CertificatesController {
  constructor(private readonly certificates: CertificatesService) {}

  @Get(':cluster_ident')
  @Allow('reader')
  @Operation('Show the certificate authority of a cluster', AuthorityView, { errors: [409] })
  async show(
    @Ctx() ctx: RequestContext,
    @Param('cluster_ident') ident: string,
    @Query() { ca_cert_type: type = 'kubernetes' }: CertificateQuery,
  ): Promise<object> {
    return view(ctx, await this.certificates.authority(ctx, ident, type));
  }

  @Post()
  @Allow('member')
  @Operation('Sign a certificate for a cluster', CertificateView, { creates: false, errors: [409] })
  async sign(@Ctx() ctx: RequestContext, @Body() body: CertificateDto): Promise<object> {
    const { cluster_uuid, pem, links } = view(ctx, await this.certificates.sign(ctx, body));
    return { cluster_uuid, csr: body.csr, pem, links };
  }

  /** The documented form; Magnum's clients name the cluster in the path. */
  @Patch()
  @Allow('member')
  @Operation('Replace the certificate authority of the cluster in the body', ClusterRef, {
    status: 202,
    errors: [404, 409],
  })
  async rotateNamed(@Ctx() ctx: RequestContext, @Body() { cluster }: RotationDto): Promise<object> {
    return { uuid: await this.certificates.rotate(ctx, cluster) };
  }

  @Patch(':cluster_ident')
  @Allow('member')
  @Operation('Replace the certificate authority of a cluster', ClusterRef, {
    status: 202,
    errors: [409],
  })
  async rotate(@Ctx() ctx: RequestContext, @Param('cluster_ident') ident: string): Promise<object> {
    return { uuid: await this.certificates.rotate(ctx, ident) };
  }
}

function view(ctx: RequestContext, { clusterId, pem }: ClusterCertificate): AuthorityView {
  return {
    cluster_uuid: clusterId,
    pem: pem.trim(),
    links: linksTo(ctx, `certificates/${clusterId}`),
  };
}

@Feature({ controllers: [CertificatesController], providers: [CertificatesService] })
export class CertificatesModule {}
